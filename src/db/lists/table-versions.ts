import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import type { Database } from '../connection/database.ts';

/** The tables that have a version (see `migrations/0013_table_versions.sql`, and `0021_deliveries.sql`). */
export const versionedTables = [
  'issues',
  'conversations',
  'conversation_messages',
  'message_deliveries',
  'issue_links',
  'admins',
  'audit_records',
  'webhook_deliveries',
  'scraping_runs',
  'scraping_errors',
  'comments',
  'changes',
  'issue_history',
] as const;

export type VersionedTable = (typeof versionedTables)[number];

/** Returns the version of some tables as a scalar query. */
export function versionOf(tables: readonly VersionedTable[]): FragmentSqlToken {
  const names = sql.join(tables.map(sql.literalValue), sql.fragment`, `);
  return sql.fragment`(
    select coalesce(bit_xor(version), 0)::text
    from (
      select version from table_versions where table_name in (${names})
      union all
      select change from table_version_changes where table_name in (${names})
    ) as part
  )`;
}

/** Which statement reads the version of some tables. There are as many as there are kinds of lists. */
const statements = new Map<string, QuerySqlToken>();

/**
 * Returns a text that changes with every change of one of the tables. Call it before reading the rows: rows may be
 * newer than the version that is told with them, but never older.
 */
export async function selectVersion(db: Database, tables: readonly VersionedTable[]): Promise<string> {
  const key = tables.join();
  const statement = statements.get(key) ?? sql.unsafe`select ${versionOf(tables)} as version`;
  statements.set(key, statement);
  return String(await db.oneFirst(statement));
}
