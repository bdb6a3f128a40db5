import type { Client } from 'pg';
import { errorCode } from '../../shared/error-code.ts';
import { searchIndexes } from '../lists/search-indexes.ts';

/** The migration that creates the search. It refuses to run without the extension. */
const searchMigration = '0024_search';

/** insufficient_privilege, undefined_file, feature_not_supported */
const unavailable = ['42501', '58P01', '0A000'];

/**
 * Creates the extension pg_trgm if it is missing.
 *
 * @returns whether it exists. A role may lack the right to create it, and a server the extension
 */
export async function createTrigrams(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'pg_trgm'`);
  if (rowCount === 1) return true;
  try {
    await client.query('create extension if not exists pg_trgm');
    return true;
  } catch (error) {
    if (unavailable.includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * The statement that fills an index's list of new entries sorts it in, and all events wait if that is the publisher's. With the
 * default of 4 MB it takes 46 to 62 ms, with 256 kB at most 12 ms, at the same cost per row. Below 128 kB a row costs more.
 */
const shortList = 'gin_pending_list_limit=256';

/** Returns the SQL of a migration without the statements that need the extension. */
export function withoutTrigrams(name: string, sql: string): string {
  if (name !== searchMigration) return sql;
  return sql.replace(/^do \$\$\n[\s\S]*?^\$\$;\n/gm, (block) => (block.includes('pg_trgm') ? '' : block));
}

/**
 * Creates the indexes of the search that are missing: those that no migration creates, and all of them if the extension
 * was created after the migrations. Writers don't wait for it. Shortens the lists of new entries of those that exist.
 *
 * @returns the names of the indexes that it created
 */
export async function createSearchIndexes(client: Client): Promise<string[]> {
  const created: string[] = [];
  for (const { name, table, text } of searchIndexes) {
    const { rows } = await client.query<{
      schema: string;
      found: boolean;
      valid: boolean | null;
      short: boolean;
    }>(
      `
        select pg_namespace.nspname as schema,
          to_regclass($2) is not null and ($3::text is null or to_regproc($3) is not null) as found,
          (select indisvalid from pg_index where indexrelid = to_regclass($1)) as valid,
          exists (select from pg_class where oid = to_regclass($1) and $4 = any(reloptions)) as short
        from pg_extension
        join pg_namespace on pg_namespace.oid = pg_extension.extnamespace
        where extname = 'pg_trgm'
      `,
      [name, table, functionOf(text), shortList],
    );
    const [state] = rows;
    if (state === undefined || !state.found) continue;
    if (state.valid === true) {
      if (!state.short) await client.query(`alter index ${name} set (${shortList})`);
      continue;
    }
    // An interrupted build leaves an invalid index.
    if (state.valid === false) await client.query(`drop index concurrently ${name}`);
    const operators = `${client.escapeIdentifier(state.schema)}.gin_trgm_ops`;
    await client.query(
      `create index concurrently ${name} on ${table} using gin (${text} ${operators}) with (${shortList})`,
    );
    // As for the columns: samples of long texts are costly, and mislead the planner.
    if (text !== 'text') await client.query(`alter index ${name} alter column 1 set statistics 0`);
    created.push(name);
  }
  return created;
}

/** Returns the function of an expression, which a later migration than that of the table may create. */
function functionOf(text: string): string | null {
  return text.includes('(') ? text.slice(0, text.indexOf('(')) : null;
}
