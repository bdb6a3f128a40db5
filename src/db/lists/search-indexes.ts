import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';

/** The indexes that find the texts of lists by sequences of three letters. They need the extension pg_trgm. */
export const searchIndexes = [
  { name: 'issue_search_text_idx', table: 'issue_search', column: 'text' },
  { name: 'conversation_search_text_idx', table: 'conversation_search', column: 'text' },
] as const;

/** Reports whether all indexes of searches exist. Without them, searches read all texts. */
export async function hasSearchIndexes(db: Database): Promise<boolean> {
  const names = searchIndexes.map(({ name }) => name);
  const missing = await db.exists(sql.unsafe`
    select from unnest(${sql.array(names, 'text')}) as name
    where not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)
  `);
  return !missing;
}
