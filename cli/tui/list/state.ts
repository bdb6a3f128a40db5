import { changedKeys, isUnchanged, mergeRows } from './merge-rows.ts';
import type { NewestRows } from './newest-rows.ts';
import type { ListSource } from './source.ts';
import { keysOfNews } from './unseen.ts';

export interface ListState<Row> {
  /** In the order of the service. New pages are added to its end in place. */
  readonly rows: Row[];
  /** In the order on the screen. */
  readonly shown: readonly Row[];
  readonly index: number;
  /** Where the cursor goes when more rows are loaded, Infinity for the last one; null if it is where the user wants it. */
  readonly wanted: number | null;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: string;
  readonly nextCursor: string | null;
  /** How many rows there are, or null if nobody has counted them. */
  readonly total: number | null;
  /** All rows are being loaded, to go to the last one or to sort them. */
  readonly isLoadingAll: boolean;
  /** When each recently changed row was seen to change, for the mark beside it. */
  readonly marks: ReadonlyMap<string | number, number>;
  /** The rows that came with a refresh and have not been visible since. */
  readonly unseen: ReadonlySet<string | number>;
}

/** How long a changed row is marked. */
const markMs = 12_000;

/** Returns the state of a list before its first load. */
export function emptyList<Row>(): ListState<Row> {
  return {
    rows: [],
    shown: [],
    index: 0,
    wanted: null,
    phase: 'loading',
    error: '',
    nextCursor: null,
    total: null,
    isLoadingAll: false,
    marks: new Map(),
    unseen: new Set(),
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

/**
 * Returns the change that gives a list other rows. The cursor stays on its row.
 *
 * @param staysAtTop - the cursor stays on the first row instead, if it is there, because the rows get another order
 */
export function withRows<Row>(
  { shown: before, index }: ListState<Row>,
  rows: Row[],
  { keyOf, arrange }: Pick<ListSource<Row>, 'keyOf' | 'arrange'>,
  staysAtTop = false,
): Pick<ListState<Row>, 'rows' | 'shown' | 'index'> {
  const shown = arrange?.(rows) ?? rows;
  if (staysAtTop && index === 0) return { rows, shown, index };
  const current = before[index];
  const found = current === undefined ? -1 : indexOfKey(shown, keyOf(current), index, keyOf);
  return { rows, shown, index: found === -1 ? Math.min(index, Math.max(0, shown.length - 1)) : found };
}

/** Returns the change that moves the cursor on to where the user wanted it before the rows were there. */
export function towardsWanted<Row>(
  { index, wanted }: ListState<Row>,
  shown: readonly Row[],
  isComplete: boolean,
): Partial<ListState<Row>> {
  if (wanted === null) return {};
  const last = Math.max(0, shown.length - 1);
  return {
    index: Math.max(index, Math.min(wanted, last)),
    wanted: wanted <= last || isComplete ? null : wanted,
  };
}

/** Returns the change after the newest rows of a list were loaded again. */
export function withNewestRows<Row>(
  state: ListState<Row>,
  newest: Pick<NewestRows<Row>, 'rows' | 'nextCursor' | 'isJoined' | 'total'>,
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
  const { total } = newest;
  const change = { marks, total, error: '', nextCursor: isLonger ? nextCursor : newest.nextCursor };
  if (isSame) return change;
  const unseen = new Set([...state.unseen, ...keysOfNews(rows, newest.rows, source)]);
  return { ...withRows(state, merged, source), ...change, unseen };
}
