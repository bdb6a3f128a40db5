import { sql } from 'slonik';
import type { Database } from '../../connection/pool.ts';

/** The tables that had something of a visitor. */
const tables = [
  'audit_records',
  'comments',
  'conversation_history',
  'conversation_messages',
  'conversation_previews',
  'conversation_search',
  'conversations',
  'events',
  'issue_history',
  'issue_search',
  'issues',
  'recorded_changes',
  'saved_replies',
  'scraping_errors',
  'webhook_deliveries',
];

/**
 * Removes texts from the planner's statistics, which keep samples of the values: analyzes the tables in whose statistics
 * one of the texts is.
 */
export async function forgetStatistics(db: Database, texts: readonly string[]): Promise<void> {
  await db.query(
    sql.unsafe`select forget_statistics(${sql.array(tables, 'text')}, ${sql.array([...texts], 'text')})`,
  );
}
