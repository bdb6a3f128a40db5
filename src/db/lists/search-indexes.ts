import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';

/** An index over the texts that a list searches. */
interface SearchIndex {
  readonly name: string;
  readonly table: string;
  /** A column, or a call of a function. */
  readonly text: string;
}

/** The indexes that find the texts of lists by sequences of three letters, with the extension pg_trgm. */
export const searchIndexes: readonly SearchIndex[] = [
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
