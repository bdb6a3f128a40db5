import type { Client } from 'pg';
import { wait } from '../../shared/waiting.ts';
import { readApplied } from '../migrate/status.ts';
import { BackupError } from './format.ts';
import { readTables } from './tables.ts';

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
