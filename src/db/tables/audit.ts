import { sql } from 'slonik';
import { z } from 'zod';
import { creationSorts } from '../../contract/fields/sorts.ts';
import type { ParsedInputOf } from '../../contract/registry.ts';
import type { Position } from '../../contract/schemas/cursors.ts';
import type { Database } from '../connection/database.ts';
import { unprepared } from '../connection/statements.ts';
import { filteredAndOrdered } from '../lists/filter-scans.ts';
import { findMatches } from '../lists/find-matches.ts';
import { between, equals, equalsText } from '../lists/list-filters.ts';
import { type ListQuery, orderBy, plainColumns, rowAsJson } from '../lists/list-query.ts';
import { type SearchedTexts, searchIndexed } from '../lists/search.ts';
import { exactTimestamp, isoTimestamp } from '../timestamps.ts';
import { countRow } from './statements.ts';

/** Selects audit records. An absent field matches all. */
export type AuditFilter = Partial<ParsedInputOf<'audit.list'>>;

const auditTexts: SearchedTexts = {
  table: sql.fragment`audit_records as searched`,
  id: sql.fragment`searched.id`,
  // The expression of audit_records_search_text_idx.
  text: sql.fragment`
    audit_search_text(
      searched.actor_name, searched.operation, searched.event, searched.subject_id, searched.before, searched.after
    )
  `,
};

/** Lists audit records, newest first. */
export function auditList(filter: AuditFilter): ListQuery {
  const { actor, door, operation, event, subject_id, after, q } = filter;
  const filters = [
    ...equalsText(sql.fragment`actor_name`, actor),
    ...equalsText(sql.fragment`door`, door),
    ...equalsText(sql.fragment`operation`, operation),
    ...equalsText(sql.fragment`event`, event),
    ...equals(sql.fragment`subject_id`, subject_id),
  ];
  return {
    columns: {
      id: sql.fragment`id`,
      created_at: { time: sql.fragment`audit_records.created_at` },
      ...plainColumns([
        'actor_kind',
        'actor_id',
        'actor_name',
        'door',
        'address',
        'operation',
        'event',
        'subject_id',
      ]),
      before: { json: sql.fragment`before` },
      after: { json: sql.fragment`after` },
    },
    source: sql.fragment`from audit_records`,
    tables: ['audit_records'],
    filters,
    times: between(sql.fragment`audit_records.created_at`, filter),
    search: searchIndexed(q, auditTexts, sql.fragment`audit_records.id`),
    conditions: [after !== undefined && sql.fragment`id > ${after}::bigint`],
    order: orderBy(creationSorts, { created_at: sql.fragment`audit_records.created_at` }, filter),
    id: sql.fragment`audit_records.id`,
    maxTextBytes: sql.fragment`greatest(pg_column_size(before), pg_column_size(after))`,
  };
}

const positionedRow = z.object({ json: z.string(), at: z.string(), id: z.int() });

/** Lists audit records in the order of their ids, after that of the cursor. */
function inOrderOfIds(filter: AuditFilter): ListQuery {
  const list = auditList(filter);
  const rest = filter.cursor !== undefined && sql.fragment`id > ${filter.cursor[1]}`;
  return {
    ...list,
    conditions: [...list.conditions, rest],
    order: { ...list.order, column: list.id, cast: sql.fragment`int8`, direction: 'asc', cursor: undefined },
  };
}

/**
 * Returns the records after an id as JSON texts, oldest first, up to a limit, and the position of the last one if more
 * follow. Ids are in the order of the changes.
 */
export async function selectAuditAfter(
  db: Database,
  filter: AuditFilter,
  limit: number,
): Promise<{ rows: readonly string[]; next: Position<number> | null }> {
  const list = inOrderOfIds(filter);
  const select = async (on: Database, query: ListQuery) =>
    await on.any(sql.type(positionedRow)`
      select
        ${rowAsJson(query.columns)} as json,
        ${exactTimestamp(sql.fragment`audit_records.created_at`)} as at,
        id
      ${filteredAndOrdered(query, limit + 1)} ${unprepared}
    `);
  const { search } = list;
  const rows =
    search === undefined
      ? await select(db, list)
      : (await findMatches(db, { ...list, search }, limit + 1, select)).found;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(({ json }) => json),
    next: rows.length > limit && last !== undefined ? [last.at, last.id] : null,
  };
}

const retentionRow = z.object({ starts_at: z.string().nullable() });
/**
 * Returns the time before which audit records may be deleted (ISO 8601 UTC), or null if the setting keeps all of them.
 */
export async function selectAuditRetention(db: Database): Promise<string | null> {
  return await db.oneFirst(sql.type(retentionRow)`
    select ${isoTimestamp(sql.fragment`nullif(audit_retention_starts_at(), '-infinity')`)} as starts_at
  `);
}

/**
 * Deletes records that are older than the retention period, oldest first, up to a limit, and keeps the end of their chain, so
 * that the remaining ones can still be verified. Returns how many it deleted.
 */
export async function deleteExpiredAuditRecords(tx: Database, limit: number): Promise<number> {
  return await tx.oneFirst(sql.type(countRow)`select purge_audit_records(${limit}) as count`);
}
