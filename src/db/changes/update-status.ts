import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { type ChangedNoun, changeTables, type RowId } from './change-tables.ts';
import type { Author } from './changes.ts';

const statusBefore = z.object({ before: z.string() });

/**
 * Updates the status of a row. If it was another one, writes that to the history of the row.
 *
 * @returns the status before if it was another one, else null
 */
export async function updateStatus(
  tx: Database,
  noun: ChangedNoun,
  id: RowId | null,
  status: string,
  author: Author,
): Promise<string | null> {
  const { rows, history, rowId, idType } = changeTables[noun];
  return await tx.maybeOneFirst(sql.type(statusBefore)`
    with locked as materialized (
      select id, status from ${rows} where id = ${id}::${sql.identifier([idType])} for no key update
    ), updated as (
      -- Not now(): the start of the transaction may be before a message that arrived since.
      update ${rows} set status = ${status}, updated_at = clock_timestamp()
      from locked where ${rows}.id = locked.id
      returning ${rows}.id, locked.status as before
    ), changed as (
      select id, before from updated where before <> ${status}
    ), edit as (
      insert into changes (noun, actor_kind, actor_id, actor_name, door, count)
      select ${noun}, ${author.kind}, ${author.id}, ${author.name}, ${author.door}, 1 from changed
      returning id
    ), edited_field as (
      insert into ${history} (change_id, ${rowId}, field, before, after)
      select edit.id, changed.id, 'status', changed.before, ${status} from edit, changed
    )
    select before from changed
  `);
}
