import { sql } from 'slonik';
import { z } from 'zod';
import { changeHours } from '../../contract/schemas/changes/changes.ts';
import type { Database } from '../connection/database.ts';
import { affectedRows } from '../tables/statements.ts';
import type { ChangedNoun } from './change-tables.ts';

/** Who makes a change, and through which interface. */
export interface Author {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string;
  readonly door: string;
}

export interface NewChange {
  readonly noun: ChangedNoun;
  readonly author: Author;
  /** What a later call must repeat to go on with the change; undefined if it cannot be continued. */
  readonly request?: string | undefined;
  /** The change that this one undoes. */
  readonly undoes?: number;
}

const idRow = z.object({ id: z.int() });

/** Inserts a change and returns its id. */
export async function insertChange(tx: Database, { noun, author, request = undefined, undoes }: NewChange) {
  return await tx.oneFirst(sql.type(idRow)`
    insert into changes (noun, actor_kind, actor_id, actor_name, door, request_digest, undoes)
    values (
      ${noun}, ${author.kind}, ${author.id}, ${author.name}, ${author.door},
      text_digest(${request ?? null}), ${undoes ?? null}::bigint
    )
    returning id
  `);
}

const lockedChange = z.object({
  noun: z.enum(['issues', 'conversations']),
  actor_kind: z.string(),
  actor_id: z.string().nullable(),
  count: z.int(),
  is_recent: z.boolean(),
  is_undone: z.boolean(),
  is_same_request: z.boolean(),
});

export type LockedChange = z.infer<typeof lockedChange>;

/**
 * Returns the change with the id, or null, and keeps others from continuing or undoing it until the transaction ends.
 * Call it before any row is locked that the change has changed.
 *
 * @param request - compared with the request of the change
 */
export async function lockChange(tx: Database, id: number | null, request?: string) {
  return await tx.maybeOne(sql.type(lockedChange)`
    select
      noun, actor_kind, actor_id, count,
      created_at > now() - make_interval(hours => ${changeHours}) as is_recent,
      exists (select from changes undo where undo.undoes = changes.id) as is_undone,
      coalesce(request_digest = text_digest(${request ?? null}), false) as is_same_request
    from changes
    where id = ${id}::bigint
    for update
  `);
}

/** Adds rows to the count of a change. */
export async function addToChange(tx: Database, id: number, count: number): Promise<void> {
  await tx.query(sql.unsafe`update changes set count = count + ${count} where id = ${id}`);
}

/** Deletes a change that has changed nothing. */
export async function deleteChange(tx: Database, id: number): Promise<void> {
  await tx.query(sql.unsafe`delete from changes where id = ${id}`);
}

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
  return await affectedRows(db)`
    with lowest as materialized (
      -- Ids follow time, so no index on time is needed.
      select id, created_at from ${history} order by id limit ${limit} for update skip locked
    )
    delete from ${history} using lowest
    where ${history}.id = lowest.id and lowest.created_at < now() - make_interval(days => ${days})
  `;
}

/**
 * Deletes changes that are older than some days and have no history left, lowest ids first, up to a limit.
 *
 * @returns how many it deleted; 0 if there is nothing left to delete
 */
export async function deleteOldChanges(db: Database, days: number, limit: number): Promise<number> {
  return await affectedRows(db)`
    with old as materialized (
      select id from changes
      -- A day older than their history may be: a change can go on for that long.
      where created_at < now() - make_interval(days => ${days} + 1)
        and not exists (select from issue_history where change_id = changes.id)
        and not exists (select from conversation_history where change_id = changes.id)
      order by id
      limit ${limit}
      for update skip locked
    )
    delete from changes using old where changes.id = old.id
  `;
}
