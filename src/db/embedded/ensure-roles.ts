import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { errorCode } from '../../shared/errors.ts';
import { inTransaction, oneRow } from '../connection/own-connection.ts';
import { upgradeFirst } from '../migrate/former-schema.ts';
import { grantRuntime } from '../roles/grants.ts';
import { EmbeddedPostgresError } from './programs.ts';
import { ownerRole, type RolePasswords, runtimeRole } from './secrets.ts';

/** The roles have no other rights than those that they are granted. */
const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

/** The lock ends with its transaction. */
const lockKey = 4_711_020_305;

/**
 * Makes sure that the owner and the runtime role exist with these passwords, and that the owner has the database
 * `backoffice`. After a crash, the next start continues.
 *
 * @param client - a connection of the superuser to the database `postgres`
 * @param connect - opens one to the database `backoffice`
 */
export async function ensureRoles(
  client: Client,
  passwords: RolePasswords,
  connect: () => Client,
): Promise<void> {
  if (!(await hasRoles(client, passwords))) {
    await inTransaction(client, async () => {
      await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
      if (!(await hasRoles(client, passwords))) await setRoles(client, passwords);
    });
  }
  await createDatabase(client);
  const { owner, is_closed } = await oneRow<{ owner: string; is_closed: boolean }>(client, stateOfDatabase);
  if (owner !== ownerRole) {
    throw new EmbeddedPostgresError(
      `The embedded database is older than that of Backoffice 0.2.0. ${upgradeFirst}`,
    );
  }
  if (!is_closed) await closeDatabase(connect());
}

async function hasRoles(client: Client, passwords: RolePasswords): Promise<boolean> {
  const { rows } = await client.query<{
    name: keyof RolePasswords;
    is_limited: boolean;
    stored: string | null;
  }>(
    `select rolname as name, rolpassword as stored,
       rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) as is_limited
     from pg_authid where rolname = any($1)`,
    [[ownerRole, runtimeRole]],
  );
  return (
    rows.length === 2 &&
    rows.every(({ name, is_limited, stored }) => is_limited && hasPassword(stored, passwords[name]))
  );
}

async function setRoles(client: Client, passwords: RolePasswords): Promise<void> {
  for (const role of [ownerRole, runtimeRole] as const) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    const verb = rowCount === 0 ? 'create' : 'alter';
    const verifier = client.escapeLiteral(scramVerifier(passwords[role]));
    await client.query(`${verb} role ${role} ${attributes} password ${verifier}`);
  }
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_database where datname = 'backoffice'`);
  if (rowCount) return;
  await client.query(`create database backoffice owner ${ownerRole}`).catch((error: unknown) => {
    const alreadyExists = ['42P04', '23505'].includes(errorCode(error) ?? '');
    if (!alreadyExists) throw error;
  });
}

const stateOfDatabase = `
  select pg_get_userbyid(datdba)::text as owner, not has_database_privilege('public', oid, 'TEMPORARY') as is_closed
  from pg_database where datname = 'backoffice'
`;

/** Temporary tables are for nobody: functions that run as the owner could find them instead of those of the service. */
async function closeDatabase(connection: Client): Promise<void> {
  await connection.connect();
  try {
    await inTransaction(connection, async () => {
      await connection.query('select pg_advisory_xact_lock($1)', [lockKey]);
      await connection.query('revoke temporary on database backoffice from public');
      // What is granted is granted by the owner, and applies to the tables that it makes later.
      await connection.query(`set local role ${ownerRole}`);
      await grantRuntime(connection, runtimeRole);
    });
  } finally {
    await connection.end();
  }
}

/**
 * Returns what Postgres stores of a password. Sent instead of the password, it keeps the password out of the server's log.
 *
 * @param password - ASCII, which needs no normalization
 */
function scramVerifier(password: string, salt = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

/** Reports whether Postgres has stored this password. */
function hasPassword(stored: string | null, password: string): boolean {
  const { iterations, salt } =
    /^SCRAM-SHA-256\$(?<iterations>\d+):(?<salt>[^$]+)\$/.exec(stored ?? '')?.groups ?? {};
  if (iterations === undefined || salt === undefined) return false;
  return stored === scramVerifier(password, Buffer.from(salt, 'base64'), Number(iterations));
}
