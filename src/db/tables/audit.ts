import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/lists.ts';
import type { Database } from '../connection/pool.ts';
import { contains, type ListQuery } from '../lists/list-query.ts';
import { isoTimestamp } from '../timestamps.ts';

/** Which audit records are asked for; what is absent does not matter. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly door?: string | undefined;
  readonly operation?: string | undefined;
  readonly event?: string | undefined;
  readonly subject_id?: string | undefined;
  /** Only those of a higher id, for `selectAuditAfter`; null is that of no record. */
  readonly after?: number | null | undefined;
  /** Contained in the actor's name, or in what was before or after. */
  readonly q?: string | undefined;
  /** Bounds of `created_at`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only those after this place in the list. */
  readonly cursor?: Position<number> | undefined;
}

/** The audit records, the newest first. */
export function auditList(filter: AuditFilter): ListQuery {
  const { actor, door, operation, event, subject_id, after, q, since, until, cursor } = filter;
  const conditions = [
    actor !== undefined && sql.fragment`actor_name = ${actor}`,
    door !== undefined && sql.fragment`door = ${door}`,
    operation !== undefined && sql.fragment`operation = ${operation}`,
    event !== undefined && sql.fragment`event = ${event}`,
    subject_id !== undefined && sql.fragment`subject_id = ${subject_id}`,
    after !== undefined && sql.fragment`id > ${after}::bigint`,
    q !== undefined &&
      contains([sql.fragment`actor_name`, sql.fragment`before::text`, sql.fragment`after::text`], q),
    since !== undefined && sql.fragment`audit_records.created_at >= ${since}::timestamptz`,
    until !== undefined && sql.fragment`audit_records.created_at < ${until}::timestamptz`,
    cursor !== undefined &&
      (after === undefined
        ? sql.fragment`(audit_records.created_at, id) < (${cursor[0]}::timestamptz, ${cursor[1]})`
        : sql.fragment`id > ${cursor[1]}`),
  ];
  return {
    columns: sql.fragment`
      id, ${isoTimestamp(sql.fragment`audit_records.created_at`)} as created_at, actor_kind, actor_id, actor_name, door,
      address, operation, event, subject_id, before, after
    `,
    source: sql.fragment`from audit_records`,
    conditions,
    time: sql.fragment`audit_records.created_at`,
    id: sql.fragment`id`,
    maxTextBytes: sql.fragment`greatest(pg_column_size(before), pg_column_size(after))`,
  };
}

const placedRow = z.object({ json: z.string(), at: z.string(), id: z.int() });

/**
 * The JSON texts of the records after an id, the oldest first and so many at most, and the place of the last one where
 * more follow. Ids are in the order of the changes.
 */
export async function selectAuditAfter(
  db: Database,
  filter: AuditFilter,
  limit: number,
): Promise<{ rows: readonly string[]; next: Position<number> | null }> {
  const { columns, source, conditions } = auditList(filter);
  const rows = await db.any(sql.type(placedRow)`
    select
      (select row_to_json(list_row)::text from (select ${columns}) as list_row) as json,
      to_char(audit_records.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      id
    ${source}
    where ${sql.and(conditions)}
    order by id
    limit ${limit + 1}
  `);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(({ json }) => json),
    next: rows.length > limit && last !== undefined ? [last.at, last.id] : null,
  };
}

const retentionRow = z.object({ starts_at: z.string().nullable() });
const countRow = z.object({ count: z.int() });

/** Since when audit records are kept (ISO 8601 UTC): older ones may go. Null where the setting keeps all of them. */
export async function selectAuditRetention(db: Database): Promise<string | null> {
  return await db.oneFirst(sql.type(retentionRow)`
    select ${isoTimestamp(sql.fragment`nullif(audit_retention_starts_at(), '-infinity')`)} as starts_at
  `);
}

/** How many audit records are older than their retention. */
export async function countExpiredAuditRecords(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(*) from audit_records where created_at < audit_retention_starts_at()
  `);
}

/** Removes the oldest records that are older than their retention, so many at most. Returns how many it removed. */
export async function deleteExpiredAuditRecords(tx: Database, limit: number): Promise<number> {
  return await tx.oneFirst(sql.type(countRow)`
    with expired as (
      select id from audit_records
      where created_at < audit_retention_starts_at()
      order by created_at, id
      limit ${limit}
      for update skip locked
    ), gone as (
      delete from audit_records using expired where audit_records.id = expired.id returning 1
    )
    select count(*) from gone
  `);
}
