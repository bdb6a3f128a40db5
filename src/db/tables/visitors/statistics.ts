import { sql } from 'slonik';
import { z } from 'zod';
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

const statisticsRow = z.object({ table: z.string(), column: z.string() });
const versionRow = z.object({ version: z.int() });

/**
 * Removes texts from the planner's statistics, which keep samples of the values: analyzes the tables in whose statistics
 * one of the texts is. Does nothing if the role may not analyze them.
 */
export async function forgetStatistics(db: Database, texts: readonly string[]): Promise<void> {
  const found = await db.any(sql.type(statisticsRow)`
    select tablename as table, attname as column
    from pg_stats
    where schemaname = current_schema() and tablename = any(${sql.array(tables, 'text')})
      and exists (
        select from unnest(${sql.array([...texts], 'text')}) as wanted
        where strpos(lower(concat_ws(' ', most_common_vals::text, histogram_bounds::text, most_common_elems::text)), lower(wanted)) > 0
      )
  `);
  if (found.length === 0) return;
  const version = await db.oneFirst(
    sql.type(versionRow)`select current_setting('server_version_num')::integer as version`,
  );
  if (version >= 180_000) {
    // An empty table keeps its statistics when it is analyzed.
    for (const { table, column } of found) {
      await db.query(
        sql.unsafe`select pg_clear_attribute_stats(current_schema()::text, ${table}, ${column}, false)`,
      );
    }
  }
  for (const table of new Set(found.map((each) => each.table))) {
    await db.query(sql.unsafe`analyze ${sql.identifier([table])}`);
  }
}
