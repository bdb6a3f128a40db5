import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { withConnection } from '../connection/own-connection.ts';
import { upgradeFirst } from '../migrate/former-schema.ts';
import { grantRuntime } from '../roles/grants.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './programs.ts';
import { ownerRole, rolePassword, runtimeRole } from './secrets.ts';
import { embeddedUrl } from './server.ts';

/** The roles have no other rights than those that they are granted. */
const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

const lockKey = 4_711_020_305;

/**
 * Makes sure that the owner and the runtime role exist with their passwords, and that the owner has the database
 * `backoffice`. After a crash, the next start continues.
 *
 * @param client - a connection of the superuser to the database `postgres`
 */
export async function ensureRoles(client: Client, cluster: Cluster, port: number): Promise<void> {
  // One process at a time. If this fails, the lock ends with the connection.
  await client.query('select pg_advisory_lock($1)', [lockKey]);
  const ownerPassword = await rolePassword(cluster, ownerRole);
  await ensureRole(client, ownerRole, ownerPassword);
  await ensureRole(client, runtimeRole, await rolePassword(cluster, runtimeRole));
  const { rows } = await client.query<{ owner: string; is_closed: boolean }>(selectDatabase);
  const [database] = rows;
  if (database === undefined) await client.query(`create database backoffice owner ${ownerRole}`);
  else if (database.owner !== ownerRole) {
    throw new EmbeddedPostgresError(
      `The embedded database is older than that of Backoffice 0.2.0. ${upgradeFirst}`,
    );
  }
  if (!database?.is_closed) await closeDatabase(embeddedUrl(port, ownerRole, ownerPassword));
  await client.query('select pg_advisory_unlock($1)', [lockKey]);
}

async function ensureRole(client: Client, role: string, password: string): Promise<void> {
  const { rows } = await client.query<{ is_limited: boolean; stored: string | null }>(
    `select rolpassword as stored,
       rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) as is_limited
     from pg_authid where rolname = $1`,
    [role],
  );
  const [found] = rows;
  if (found?.is_limited && hasPassword(found.stored, password)) return;
  const verb = found === undefined ? 'create' : 'alter';
  const verifier = client.escapeLiteral(scramVerifier(password));
  await client.query(`${verb} role ${role} ${attributes} password ${verifier}`);
}

const selectDatabase = `
  select pg_get_userbyid(datdba)::text as owner, not has_database_privilege('public', oid, 'TEMPORARY') as is_closed
  from pg_database where datname = 'backoffice'
`;

/** Temporary tables are for nobody: functions that run as the owner could find them instead of those of the service. */
async function closeDatabase(ownerUrl: string): Promise<void> {
  await withConnection(ownerUrl, async (connection) => {
    // The rights apply to the tables that the owner makes later, too.
    await grantRuntime(connection, runtimeRole);
    // Last, because it says that all is done.
    await connection.query('revoke temporary on database backoffice from public');
  });
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
