import { changedKeys, isTop, mergeTop } from './merge.ts';
import type { ListSource } from './source.ts';
import type { Top } from './top.ts';

export interface ListState<Row> {
  /** In the order of the service. Rows are added to its end in place. */
  readonly rows: Row[];
  /** In the order that is shown. */
  readonly shown: readonly Row[];
  readonly index: number;
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly error: string;
  readonly nextCursor: string | null;
  /** Everything is being loaded, to go to its end or to sort it. */
  readonly filling: boolean;
  /** When a row was seen to change, for a discreet mark. */
  readonly marks: ReadonlyMap<string | number, number>;
}

/** Milliseconds that a mark is seen. */
const markTime = 12_000;

/** A list of which nothing is known yet. */
export function emptyList<Row>(): ListState<Row> {
  return {
    rows: [],
    shown: [],
    index: 0,
    phase: 'loading',
    error: '',
    nextCursor: null,
    filling: false,
    marks: new Map(),
  };
}

/** Where the row of a key is, -1 where it is not. Looked for first where it is likely to be. */
export function indexOfKey<Row>(
  rows: readonly Row[],
  key: string | number,
  near: number,
  keyOf: ListSource<Row>['keyOf'],
): number {
  if (rows[near] !== undefined && keyOf(rows[near]) === key) return near;
  return rows.findIndex((row) => keyOf(row) === key);
}

/** What changes where a list shows other rows: the cursor stays on the row that it was on. */
export function showing<Row>(
  { shown: before, index }: ListState<Row>,
  rows: Row[],
  { keyOf, arrange }: Pick<ListSource<Row>, 'keyOf' | 'arrange'>,
): Pick<ListState<Row>, 'rows' | 'shown' | 'index'> {
  const at = before[index];
  const shown = arrange?.(rows) ?? rows;
  const found = at === undefined ? -1 : indexOfKey(shown, keyOf(at), index, keyOf);
  return { rows, shown, index: found === -1 ? Math.min(index, Math.max(0, shown.length - 1)) : found };
}

/** What changes where the top of a list was read anew. */
export function refreshed<Row>(
  state: ListState<Row>,
  top: Pick<Top<Row>, 'rows' | 'nextCursor' | 'isJoined'>,
  source: Pick<ListSource<Row>, 'keyOf' | 'timeOf' | 'arrange' | 'now'>,
): Partial<ListState<Row>> {
  const { rows, nextCursor } = state;
  const now = source.now();
  const changed = changedKeys(rows, top.rows, source.keyOf);
  const marks = new Map([...state.marks].filter(([, at]) => now - at < markTime));
  for (const key of changed) marks.set(key, now);
  const isAll = top.nextCursor === null || !top.isJoined;
  const isSame = isTop(rows, top.rows, isAll, changed, source.keyOf);
  const merged = isSame ? rows : mergeTop(rows, top.rows, isAll, source);
  const isLonger = merged.length > top.rows.length;
  const change = { marks, error: '', nextCursor: isLonger ? nextCursor : top.nextCursor };
  return isSame ? change : { ...showing(state, merged, source), ...change };
}
