import { changedKeys, isUnchanged, mergeRows } from './merge-rows.ts';
import type { NewestRows } from './newest-rows.ts';
import type { ListSource } from './source.ts';

export interface ListState<Row> {
  /** In the order of the service. New pages are added to its end in place. */
  readonly rows: Row[];
  /** In the order on the screen. */
  readonly shown: readonly Row[];
  readonly index: number;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: string;
  readonly nextCursor: string | null;
  /** All rows are being loaded, to go to the last one or to sort them. */
  readonly isLoadingAll: boolean;
  /** When each recently changed row was seen to change, for the mark beside it. */
  readonly marks: ReadonlyMap<string | number, number>;
}

/** How long a changed row is marked. */
const markMs = 12_000;

/** Returns the state of a list before its first load. */
export function emptyList<Row>(): ListState<Row> {
  return {
    rows: [],
    shown: [],
    index: 0,
    phase: 'loading',
    error: '',
    nextCursor: null,
    isLoadingAll: false,
    marks: new Map(),
  };
}

/** Returns the index of the row with the key, or -1. Checks the likely index first. */
export function indexOfKey<Row>(
  rows: readonly Row[],
  key: string | number,
  likelyIndex: number,
  keyOf: ListSource<Row>['keyOf'],
): number {
  if (rows[likelyIndex] !== undefined && keyOf(rows[likelyIndex]) === key) return likelyIndex;
  return rows.findIndex((row) => keyOf(row) === key);
}

/** Returns the change that gives a list other rows. The cursor stays on its row. */
export function withRows<Row>(
  { shown: before, index }: ListState<Row>,
  rows: Row[],
  { keyOf, arrange }: Pick<ListSource<Row>, 'keyOf' | 'arrange'>,
): Pick<ListState<Row>, 'rows' | 'shown' | 'index'> {
  const current = before[index];
  const shown = arrange?.(rows) ?? rows;
  const found = current === undefined ? -1 : indexOfKey(shown, keyOf(current), index, keyOf);
  return { rows, shown, index: found === -1 ? Math.min(index, Math.max(0, shown.length - 1)) : found };
}

/** Returns the change after the newest rows of a list were loaded again. */
export function withNewestRows<Row>(
  state: ListState<Row>,
  newest: Pick<NewestRows<Row>, 'rows' | 'nextCursor' | 'isJoined'>,
  source: Pick<ListSource<Row>, 'keyOf' | 'timeOf' | 'arrange' | 'now'>,
): Partial<ListState<Row>> {
  const { rows, nextCursor } = state;
  const now = source.now();
  const changed = changedKeys(rows, newest.rows, source.keyOf);
  const marks = new Map([...state.marks].filter(([, markedAt]) => now - markedAt < markMs));
  for (const key of changed) marks.set(key, now);
  const isAll = newest.nextCursor === null || !newest.isJoined;
  const isSame = isUnchanged(rows, newest.rows, isAll, changed, source.keyOf);
  const merged = isSame ? rows : mergeRows(rows, newest.rows, isAll, source);
  const isLonger = merged.length > newest.rows.length;
  const change = { marks, error: '', nextCursor: isLonger ? nextCursor : newest.nextCursor };
  return isSame ? change : { ...withRows(state, merged, source), ...change };
}
