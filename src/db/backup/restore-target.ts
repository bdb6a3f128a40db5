import type { Client } from 'pg';
import { wait } from '../../shared/waiting.ts';
import type { MigrationFile } from '../migrate/files.ts';
import { apply, readApplied } from '../migrate/status.ts';
import { actAs, findSchemaOwner, SchemaRightsError } from '../roles/schema-owner.ts';
import { BackupError, readTables } from './format.ts';

/** The tables whose rows somebody has made. A first start makes some in others. */
const contentTables = [
  'admins',
  'api_tokens',
  'conversations',
  'issues',
  'saved_replies',
  'scraping_runs',
  'settings',
  'token_usage_records',
  'webhooks',
];

/** How long the server may take to close the connections of a program that has ended. */
const closingMs = 1_000;

/** How many rows a table has. */
export interface TableContent {
  readonly table: string;
  readonly rows: number;
}

/**
 * Checks that the database may be replaced. Returns what somebody would miss: the tables with rows that somebody has made.
 *
 * @throws BackupError if others use it, or if it has content and `replace` is false
 */
export async function checkTarget(connection: Client, replace: boolean): Promise<readonly TableContent[]> {
  await checkUnused(connection);
  const isEmpty = (await readApplied(connection)).length === 0;
  const content = isEmpty ? [] : await countContent(connection);
  const [first] = content;
  if (first !== undefined && !replace) {
    throw new BackupError(
      `The database has content in the table ${first.table}. Restore into an empty database, or add --replace to delete ` +
        'everything in this one.',
    );
  }
  return content;
}

async function checkUnused(connection: Client): Promise<void> {
  const deadline = Date.now() + closingMs;
  for (;;) {
    const { rows } = await connection.query<{ others: number }>(
      `select count(*)::integer as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
         -- Unknown for the connections of a role whose statistics this one may not read.
         and coalesce(backend_type, 'client backend') = 'client backend'`,
    );
    const others = rows[0]?.others ?? 0;
    if (others === 0) return;
    if (Date.now() > deadline) throw inUse(others);
    await wait(50);
  }
}

const inUse = (others: number) =>
  new BackupError(
    `The database is in use by ${others === 1 ? 'another connection' : `${others} other connections`}. ` +
      'Stop the service and every other program that uses it first.',
  );

async function countContent(connection: Client): Promise<readonly TableContent[]> {
  const existing = new Set((await readTables(connection)).map(({ name }) => name));
  const content: TableContent[] = [];
  for (const table of contentTables.filter((name) => existing.has(name))) {
    const { rows } = await connection.query<{ rows: number }>(
      `select count(*)::float8 as rows from public.${connection.escapeIdentifier(table)}`,
    );
    content.push({ table, rows: rows[0]?.rows ?? 0 });
  }
  return content.filter(({ rows }) => rows > 0);
}

/**
 * Empties the database, and applies migrations to it, in the transaction that is open on a connection. The job queue and the
 * table of migrations stay.
 */
export async function remakeSchema(client: Client, files: readonly MigrationFile[]): Promise<void> {
  const owner = await findSchemaOwner(client);
  if (owner === undefined) throw new SchemaRightsError('backoffice restore');
  await actAs(client, owner);
  await client.query('set local search_path = public; set local client_min_messages = warning');
  await client.query(dropAll);
  for (const file of files) await apply(client, file);
}

/** All objects in the schema but those of extensions. Some are gone with others before it is their turn. */
const dropAll = `
  do $$
  declare
    statement text;
  begin
    foreach statement in array array(
      select format('drop %s if exists %s cascade', kind, name)
      from (
        select case relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
          oid::regclass::text, 'pg_class'::regclass, oid
        from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S', 'c')
          and oid not in ('migrations'::regclass, pg_get_serial_sequence('migrations', 'id')::regclass)
        union all
        select 'routine', oid::regprocedure::text, 'pg_proc'::regclass, oid
        from pg_proc where pronamespace = 'public'::regnamespace
      ) as object (kind, name, catalog, oid)
      where not exists (
        select from pg_depend where classid = object.catalog and objid = object.oid and deptype = 'e'
      )
      -- An identity column needs its sequence for as long as the table exists.
      order by kind = 'sequence'
    ) loop
      execute statement;
    end loop;
    delete from migrations;
  end
  $$`;

/**
 * Disables the triggers of tables. Returns a function that enables them again, those that always fire included, which
 * `enable trigger user` alone would make ordinary ones.
 *
 * @param tables - their names as SQL
 */
export async function disableTriggers(
  connection: Client,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const { rows: firingAlways } = await connection.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name from pg_trigger
     where tgrelid = any ($1::regclass[]) and not tgisinternal and tgenabled = 'A'`,
    [tables],
  );
  for (const table of tables) await connection.query(`alter table ${table} disable trigger user`);
  return async () => {
    for (const table of tables) await connection.query(`alter table ${table} enable trigger user`);
    for (const { table, name } of firingAlways) {
      await connection.query(`alter table ${table} enable always trigger ${name}`);
    }
  };
}

/** The tables of access that lasts for a while. */
const tablesOfAccess: ReadonlySet<string> = new Set([
  'sessions',
  'sign_in_challenges',
  'password_resets',
  'invitations',
  'device_sign_ins',
]);

/**
 * Ends the sessions, and the sign-ins and links that were not completed: they may have ended since the backup was made.
 *
 * @param tables - the tables that the database has
 */
export async function endSignIns(connection: Client, tables: readonly string[]): Promise<void> {
  for (const table of tables.filter((name) => tablesOfAccess.has(name))) {
    await connection.query(`delete from public.${connection.escapeIdentifier(table)}`);
  }
}

/** The lasting kinds of access that a restore ends. */
export interface EndedAccess {
  readonly tokens: boolean;
  readonly recoveryCodes: boolean;
}

/** The access that a restored backup gives back, including what was revoked or used since. */
export interface KeptAccess {
  /** API tokens that are valid. */
  readonly tokens: number;
  /** Accounts that have recovery codes. */
  readonly accountsWithCodes: number;
}

/**
 * Revokes API tokens and removes recovery codes if that is wanted. Returns what is left.
 *
 * @param tables - the tables that the database has
 */
export async function endLastingAccess(
  connection: Client,
  tables: readonly string[],
  ended: EndedAccess,
): Promise<KeptAccess> {
  const count = async (table: string, sql: string) => {
    if (!tables.includes(table)) return 0;
    const { rows } = await connection.query<{ count: number }>(sql);
    return rows[0]?.count ?? 0;
  };
  if (ended.tokens && tables.includes('api_tokens'))
    await connection.query('update public.api_tokens set revoked_at = now() where revoked_at is null');
  if (ended.recoveryCodes && tables.includes('admin_recovery_codes'))
    await connection.query('delete from public.admin_recovery_codes');
  return {
    tokens: await count(
      'api_tokens',
      `select count(*)::integer as count from public.api_tokens
       where revoked_at is null and (expires_at is null or expires_at > now())`,
    ),
    accountsWithCodes: await count(
      'admin_recovery_codes',
      'select count(distinct admin_id)::integer as count from public.admin_recovery_codes',
    ),
  };
}
