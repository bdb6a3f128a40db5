import { maxEventIds } from '../../contract/schemas/changes/changes.ts';
import type { ChangedNoun, RowId } from '../../db/changes/change-tables.ts';
import {
  type Author,
  addToChange,
  insertChange,
  type LockedChange,
  type NewChange,
} from '../../db/changes/changes.ts';
import { type BulkSet, updateRows } from '../../db/changes/updates.ts';
import type { Database } from '../../db/connection/database.ts';
import type { ChangedRow, RecordedFields } from '../../db/outbox/record-changes.ts';
import type { Actor } from '../call/actor.ts';
import type { RecordChange } from '../call/changes.ts';

/** Locked rows, at least one, and what a change sets of them. */
interface RowsToChange {
  readonly ids: readonly RowId[];
  readonly set: BulkSet;
  /** The row before, if it is the only one that the caller named. */
  readonly before?: RecordedFields | undefined;
}

/** Changes locked rows and writes their history, as part of a change or a new one. Returns the change's id. */
export async function changeRows(
  tx: Database,
  record: RecordChange,
  noun: ChangedNoun,
  change: number | NewChange,
  { ids, set, before }: RowsToChange,
): Promise<number> {
  const change_id = typeof change === 'number' ? change : await insertChange(tx, change);
  await updateRows(tx, noun, change_id, ids, set);
  await addToChange(tx, change_id, ids.length);
  record({
    event: `${noun}.updated`,
    id: subjectOf(ids, ids.length),
    before: before && pick(before, set),
    after: { change_id, ...rowsOf(ids, ids.length), set },
  } as ChangedRow);
  return change_id;
}

/** Returns those fields of a row that are set. */
function pick(row: RecordedFields, set: BulkSet): RecordedFields {
  const names = Object.keys(set).map((name) => name.replace(/^(add|remove)_labels$/, 'labels'));
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** Returns what a change keeps of its actor. */
export function authorOf({ kind, id, name, door }: Actor): Author {
  return { kind, id, name, door };
}

/** Reports whether the actor made the change. */
export function isAuthor({ actor_kind, actor_id }: LockedChange, { kind, id }: Actor): boolean {
  return actor_kind === kind && actor_id === id;
}

/** Returns the subject of the event of a bulk change: the row if it is a single one. */
export function subjectOf<Id>(ids: readonly Id[], count: number): Id | null {
  return count === 1 ? (ids[0] ?? null) : null;
}

/** Returns the rows of a bulk change for the data of its event: the first ids, and the count of all. */
export function rowsOf<Id>(ids: readonly Id[], count: number) {
  return { ids: ids.slice(0, maxEventIds), count };
}
