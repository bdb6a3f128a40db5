import { createLooks } from '../looks.ts';
import { createStore, type Store } from '../store.ts';
import { changedKeys, isTop, mergeTop, type Order } from './merge.ts';
import { readTop } from './top.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

export interface ListSource<Row> extends Order<Row> {
  load(cursor: string | null, limit: number): Promise<Page<Row>>;
  /** In which order the rows are shown; absent: as they come. */
  arrange?: ((rows: readonly Row[]) => readonly Row[]) | undefined;
  /** What a person reads of a failure. */
  explain(error: unknown): string;
  now(): number;
}

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

/** Rows that are loaded as they are needed, and a cursor on one of them, which stays on it whatever is refreshed. */
export interface List<Row> {
  readonly store: Store<ListState<Row>>;
  /** How many rows are seen at once; the view tells. */
  pageRows: number;
  current(): Row | undefined;
  move(by: number): void;
  toFirst(): void;
  toLast(): void;
  /** To the row of that key, where it is loaded. */
  toKey(key: string | number): void;
  /** Forgets what is loaded and begins again, for another filter. */
  reload(): Promise<void>;
  /** Reads the top anew and keeps the rest. */
  refresh(): Promise<void>;
  /** Loads all there is. */
  fill(): Promise<void>;
  /** Replaces rows as they are known to be by now. */
  amend(change: (row: Row) => Row): void;
  remove(key: string | number): void;
  rearrange(): void;
}

const firstPage = 200;
/** Small enough that what a page leaves behind is gone before the next one comes. */
const nextPage = 200;
/** So far before the end more is loaded: a second of paging on a tall terminal. */
const ahead = 1_000;
/** Milliseconds between two looks at how far the loading of everything is. */
const pauseBetweenLooks = 200;
/** Milliseconds that a mark is seen. */
const markTime = 12_000;

export function createList<Row>(source: ListSource<Row>): List<Row> {
  const store = createStore<ListState<Row>>({
    rows: [],
    shown: [],
    index: 0,
    phase: 'loading',
    error: '',
    nextCursor: null,
    filling: false,
    marks: new Map(),
  });
  const beginLook = createLooks();
  let generation = 0;
  /** Whoever waits for a look that another has made needless waits for that one: then the rows are there. */
  let newest = Promise.resolve();
  let toldAt = 0;
  let extending: Promise<void> | undefined;

  /** Shows rows with the cursor on the row that it was on. */
  const show = (rows: Row[], change: Partial<ListState<Row>> = {}) => {
    const { shown: before, index } = store.get();
    const at = before[index];
    const shown = source.arrange?.(rows) ?? rows;
    const found = at === undefined ? -1 : indexOfKey(shown, source.keyOf(at), index);
    const kept = found === -1 ? Math.min(index, Math.max(0, shown.length - 1)) : found;
    store.set({ rows, shown, index: kept, ...change });
  };
  const indexOfKey = (rows: readonly Row[], key: string | number, near: number) => {
    if (rows[near] !== undefined && source.keyOf(rows[near]) === key) return near;
    return rows.findIndex((row) => source.keyOf(row) === key);
  };

  const extend = async (): Promise<void> => {
    const { nextCursor } = store.get();
    if (nextCursor === null) return;
    const mine = generation;
    const page = await source.load(nextCursor, nextPage);
    if (mine !== generation) return;
    const { rows, filling } = store.get();
    const known = new Set(rows.slice(-nextPage).map(source.keyOf));
    // Added in place: a copy for each page of a long list would cost more memory than the list.
    for (const row of page.rows) if (!known.has(source.keyOf(row))) rows.push(row);
    const isLast = page.nextCursor === null;
    // While everything is loaded, a look now and then is enough: a frame costs more than a page.
    if (filling && !isLast && Date.now() - toldAt < pauseBetweenLooks)
      return store.keep({ nextCursor: page.nextCursor });
    toldAt = Date.now();
    if (source.arrange === undefined) store.set({ nextCursor: page.nextCursor });
    // A long list is sorted once, when it is whole.
    else if (filling && !isLast) store.set({ nextCursor: page.nextCursor });
    else show(rows, { nextCursor: page.nextCursor });
  };
  const extendOnce = (): Promise<void> => {
    extending ??= extend().finally(() => {
      extending = undefined;
    });
    return extending;
  };
  const put = (index: number) => {
    const { shown, nextCursor } = store.get();
    const last = Math.max(0, shown.length - 1);
    store.set({ index: Math.max(0, Math.min(index, last)) });
    if (nextCursor !== null && source.arrange === undefined && index + ahead > last) {
      extendOnce().catch((error) => store.set({ error: source.explain(error) }));
    }
  };

  const loadAnew = async (): Promise<void> => {
    generation += 1;
    const mine = generation;
    // What is shown stays until there is something else: no flicker while somebody types a filter.
    store.set({ phase: 'loading', filling: false });
    try {
      const page = await source.load(null, firstPage);
      if (mine !== generation) return await newest;
      const { shown, index } = store.get();
      const stays = shown[index];
      show([...page.rows], { nextCursor: page.nextCursor, phase: 'ready', error: '', marks: new Map() });
      if (stays === undefined || store.get().shown[store.get().index] === undefined) store.set({ index: 0 });
      if (source.arrange !== undefined) await list.fill();
    } catch (error) {
      if (mine !== generation) return await newest;
      // What is still shown is of another filter, and would read as the answer to this one.
      const nothing = { rows: [], shown: [], index: 0, nextCursor: null };
      store.set({ ...nothing, phase: 'failed', error: source.explain(error) });
    }
  };

  const list: List<Row> = {
    store,
    pageRows: 10,
    current: () => store.get().shown[store.get().index],
    move: (by) => put(store.get().index + by),
    toFirst: () => put(0),
    toLast() {
      if (store.get().nextCursor === null) return put(store.get().shown.length - 1);
      list.fill().then(
        () => put(store.get().shown.length - 1),
        () => {},
      );
    },
    toKey(key) {
      const index = indexOfKey(store.get().shown, key, 0);
      if (index !== -1) put(index);
    },
    reload() {
      newest = loadAnew();
      return newest;
    },
    async refresh() {
      if (store.get().phase !== 'ready') return await list.reload();
      const mine = generation;
      const isNewest = beginLook();
      try {
        const top = await readTop(source, store.get().rows[0], firstPage);
        if (mine !== generation) return await newest;
        if (!isNewest()) return;
        const { rows, marks: old, nextCursor } = store.get();
        const now = source.now();
        const marks = new Map([...old].filter(([, at]) => now - at < markTime));
        for (const key of changedKeys(rows, top.rows, source.keyOf)) marks.set(key, now);
        const isAll = top.nextCursor === null || !top.isJoined;
        const isSame = isTop(rows, top.rows, isAll, source.keyOf);
        const merged = isSame ? rows : mergeTop(rows, top.rows, isAll, source);
        const isLonger = merged.length > top.rows.length;
        const change = { marks, error: '', nextCursor: isLonger ? nextCursor : top.nextCursor };
        if (isSame) store.set(change);
        else show(merged, change);
      } catch (error) {
        if (mine === generation) store.set({ error: source.explain(error) });
      }
    },
    async fill() {
      if (store.get().filling) return;
      const mine = generation;
      store.set({ filling: true });
      try {
        while (mine === generation && store.get().nextCursor !== null) await extendOnce();
      } catch (error) {
        store.set({ error: source.explain(error) });
      } finally {
        if (mine === generation) {
          store.set({ filling: false });
          show(store.get().rows);
        }
      }
    },
    amend: (change) => show(store.get().rows.map(change)),
    remove: (key) => show(store.get().rows.filter((row) => source.keyOf(row) !== key)),
    rearrange() {
      show(store.get().rows);
      if (source.arrange !== undefined) void list.fill();
    },
  };
  return list;
}
