import type { Client } from 'pg';
import { sql } from 'slonik';
import { ExpectedError, errorCode } from '../../shared/errors.ts';
import type { Database } from '../connection/database.ts';

/** The indexes that find the texts of lists by sequences of three letters, with the extension pg_trgm. */
export const searchIndexes = [
  { name: 'issue_search_text_idx', table: 'issue_search', text: 'text' },
  { name: 'conversation_search_text_idx', table: 'conversation_search', text: 'text' },
  {
    name: 'audit_records_search_text_idx',
    table: 'audit_records',
    text: 'audit_search_text(actor_name, operation, event, subject_id, before, after)',
  },
  {
    name: 'webhook_deliveries_search_text_idx',
    table: 'webhook_deliveries',
    text: 'delivery_search_text(message_id, type, payload, error)',
  },
  { name: 'scraping_runs_search_text_idx', table: 'scraping_runs', text: 'run_search_text(run_id, source)' },
  { name: 'scraping_errors_search_text_idx', table: 'scraping_errors', text: 'error_search_text(message)' },
];

/** Reports whether all indexes of searches exist. Without them, searches read all texts. */
export async function hasSearchIndexes(db: Database): Promise<boolean> {
  const names = searchIndexes.map(({ name }) => name);
  const missing = await db.exists(sql.unsafe`
    select from unnest(${sql.array(names, 'text')}) as name
    where not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)
  `);
  return !missing;
}

/** insufficient_privilege, undefined_file, feature_not_supported */
const unavailable = ['42501', '58P01', '0A000'];

/** The database does not have the extension that the search indexes need. */
export class MissingTrigramsError extends ExpectedError {
  override readonly name = 'MissingTrigramsError';
  override readonly message =
    'The extension pg_trgm is missing: have an administrator run `create extension pg_trgm` in this database, ' +
    'with the package postgresql-contrib installed on the server.';
}

/**
 * Creates the extension pg_trgm if it is missing.
 *
 * @throws MissingTrigramsError if the role lacks the right to create it, or the server the extension
 */
export async function createTrigrams(client: Client): Promise<void> {
  // A role without the right would get an error even if the extension exists.
  const { rowCount } = await client.query(`select from pg_extension where extname = 'pg_trgm'`);
  if (rowCount === 1) return;
  try {
    await client.query('create extension if not exists pg_trgm');
  } catch (error) {
    throw unavailable.includes(errorCode(error) ?? '') ? new MissingTrigramsError() : error;
  }
}

/** @throws MissingTrigramsError if the migrations were applied and the extension is missing */
export async function requireTrigrams(db: Database): Promise<void> {
  const isMissing = await db.exists(sql.unsafe`
    select where to_regclass('public.issue_search') is not null
      and not exists (select from pg_extension where extname = 'pg_trgm')
  `);
  if (isMissing) throw new MissingTrigramsError();
}

/**
 * The statement that fills an index's list of new entries sorts it in, and all events wait if that is the publisher's. With the
 * default of 4 MB it takes 46 to 62 ms, with 256 kB at most 12 ms, at the same cost per row. Below 128 kB a row costs more.
 */
const shortList = 'gin_pending_list_limit=256';

/**
 * Creates the indexes of the search that are missing: those that no migration creates, and those that a restore has dropped.
 * Writers don't wait for it. Shortens the lists of new entries of those that exist.
 *
 * @param run - runs the creation of an index
 */
export async function createSearchIndexes(
  client: Client,
  run: (name: string, create: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const { name, table, text } of searchIndexes) {
    const { rows } = await client.query<{ operators: string; valid: boolean | null; short: boolean }>(
      `
        select format('%I.gin_trgm_ops', nspname) as operators,
          (select indisvalid from pg_index where indexrelid = to_regclass($1)) as valid,
          exists (select from pg_class where oid = to_regclass($1) and $3 = any(reloptions)) as short
        from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
        where extname = 'pg_trgm' and to_regclass($2) is not null
      `,
      [name, table, shortList],
    );
    for (const { operators, valid, short } of rows) {
      if (valid && !short) await client.query(`alter index ${name} set (${shortList})`);
      if (valid) continue;
      await run(name, async () => {
        // An interrupted build leaves an invalid index.
        await client.query(`drop index concurrently if exists ${name}`);
        await client.query(
          `create index concurrently ${name} on ${table} using gin (${text} ${operators}) with (${shortList})`,
        );
        // As for the columns: samples of long texts are costly, and mislead the planner.
        if (text !== 'text') await client.query(`alter index ${name} alter column 1 set statistics 0`);
      });
    }
  }
}
