import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';

const countRow = z.object({ count: z.int() });

/**
 * Deletes history that is older than some days, lowest ids first, up to a limit. Skips rows that somebody has locked, who
 * deletes their issue.
 *
 * @returns how many rows it deleted; 0 if there is nothing left to delete
 */
export async function deleteOldHistory(
  db: Database,
  table: 'issue_history' | 'conversation_history',
  days: number,
  limit: number,
): Promise<number> {
  const history = sql.identifier([table]);
  return await db.oneFirst(sql.type(countRow)`
    with lowest as materialized (
      -- Ids follow time, so no index on time is needed.
      select id, created_at from ${history} order by id limit ${limit} for update skip locked
    ), gone as (
      delete from ${history} using lowest
      where ${history}.id = lowest.id and lowest.created_at < now() - make_interval(days => ${days})
      returning 1
    )
    select count(*) from gone
  `);
}

/**
 * Deletes changes that are older than some days and have no history left, lowest ids first, up to a limit.
 *
 * @returns how many it deleted; 0 if there is nothing left to delete
 */
export async function deleteOldChanges(db: Database, days: number, limit: number): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    with old as materialized (
      select id from changes
      -- A day older than their history may be: a change can go on for that long.
      where created_at < now() - make_interval(days => ${days} + 1)
        and not exists (select from issue_history where change_id = changes.id)
        and not exists (select from conversation_history where change_id = changes.id)
      order by id
      limit ${limit}
      for update skip locked
    ), gone as (
      delete from changes using old where changes.id = old.id returning 1
    )
    select count(*) from gone
  `);
}
