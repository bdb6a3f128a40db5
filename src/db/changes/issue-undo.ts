import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';
import { canHaveAgain } from '../tables/assignees.ts';
import { type UndoResult, undoResult } from './changes.ts';

const fieldRow = z.object({ field: z.string() });

/**
 * Locks the issues that a change has changed, in the order of their ids. Returns the names of the fields that it has
 * changed.
 */
export async function lockIssuesOfChange(tx: Database, changeId: number): Promise<readonly string[]> {
  await tx.query(sql.unsafe`
    with locked as materialized (
      select id from issues
      where id in (select issue_id from issue_history where change_id = ${changeId})
      order by id
      for no key update of issues
    )
    select count(*) from locked
  `);
  return await tx.anyFirst(
    sql.type(fieldRow)`select distinct field from issue_history where change_id = ${changeId} order by field`,
  );
}

/**
 * Puts back one field of the locked issues of a change, wherever it still has the value that the change set and no later
 * change has set it. Writes that as the history of another change.
 */
export async function restoreIssueField(
  tx: Database,
  changeId: number,
  undoId: number,
  field: string,
): Promise<void> {
  const column = sql.identifier([field]);
  await tx.query(sql.unsafe`
    with entry as materialized (
      select h.issue_id, h.before, h.after
      from issue_history h
      join issues on issues.id = h.issue_id
      where h.change_id = ${changeId} and h.field = ${field} and issues.${column} is not distinct from h.after
        and ${canHaveAgain(field, sql.fragment`h.before`)}
        and not exists (
          select from issue_history later
          where later.issue_id = h.issue_id and later.field = h.field and later.id > h.id
        )
    ), restored as (
      update issues set ${column} = entry.before, updated_at = now() from entry where issues.id = entry.issue_id
    )
    insert into issue_history (change_id, issue_id, field, before, after)
    select ${undoId}, issue_id, ${field}, after, before from entry order by issue_id
  `);
}

/** Returns how many issues an undo has put back, and of how many of its change it has left something as it is. */
export async function countRestoredIssues(
  tx: Database,
  changeId: number,
  undoId: number,
): Promise<UndoResult> {
  return await tx.one(sql.type(undoResult)`
    select
      count(distinct undo.issue_id) as restored,
      -- Of deleted issues, only the count of the change knows.
      max(change.count) - count(distinct entry.issue_id)
        + count(distinct entry.issue_id) filter (where undo.id is null) as left
    from changes change
    left join issue_history entry on entry.change_id = change.id
    left join issue_history undo
      on undo.change_id = ${undoId} and undo.issue_id = entry.issue_id and undo.field = entry.field
    where change.id = ${changeId}
  `);
}

const idRow = z.object({ issue_id: z.int() });

/** Returns the lowest ids of the issues that a change has changed. */
export async function selectIssuesOfChange(
  tx: Database,
  changeId: number,
  limit: number,
): Promise<readonly number[]> {
  return await tx.anyFirst(sql.type(idRow)`
    select distinct issue_id from issue_history where change_id = ${changeId} order by issue_id limit ${limit}
  `);
}
