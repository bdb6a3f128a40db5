import { maxEventIds } from '../../contract/schemas/changes/changes.ts';
import type { Author, LockedChange } from '../../db/changes/changes.ts';
import type { Actor } from '../call/actor.ts';

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
