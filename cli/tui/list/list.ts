import { latestOnly, wait } from '../../../src/shared/waiting.ts';
import { createStore, type Store } from '../state/store.ts';
import { createLoadGuard, type IsCurrent } from './load-guard.ts';
import { readNewestRows } from './newest-rows.ts';
import { createNextPages } from './next-page.ts';
import type { ListSource, Page } from './source.ts';
import { emptyList, indexOfKey, type ListState, withNewestRows, withRows } from './state.ts';

/** Rows that are loaded as needed, and a cursor that stays on its row when they are refreshed. */
export interface List<Row> {
  readonly store: Store<ListState<Row>>;
  /** How many rows are visible at once. The view sets it. */
  pageRows: number;
  /** Reports which rows were drawn, from the first index to before the second. */
  saw(from: number, to: number): void;
  current(): Row | undefined;
  move(by: number): void;
  toFirst(): void;
  toLast(): void;
  /** Moves the cursor to the row with the key, if it is loaded. */
  toKey(key: string | number): void;
  /**
   * Discards the rows and loads the first page again, for another filter.
   *
   * @param delayMs - how long to wait first; of several calls in this time only the last one loads
   */
  reload(delayMs?: number): Promise<void>;
  /** Loads the newest rows again and keeps the others. While the list is loading, waits and then refreshes once. */
  refresh(): Promise<void>;
  loadAll(): Promise<void>;
  /** Replaces rows with what is known about them, until the next refresh. */
  updateRows(change: (row: Row) => Row): void;
  remove(key: string | number): void;
  /** Shows the rows in another order, from the top if the cursor is there. Resolves when all rows are in it. */
  rearrange(): Promise<void>;
}

/** How long a reload waits for the next key while a filter is typed. */
export const typingPauseMs = 120;
const firstPageRows = 200;
/** More rows are loaded when the cursor is this close to the end: one second of paging on a tall terminal. */
const loadAheadRows = 1_000;

export function createList<Row, Found extends Page<Row> = Page<Row>>(
  source: ListSource<Row, Found>,
): List<Row> {
  const store = createStore<ListState<Row>>(emptyList());
  const startRequest = latestOnly();
  const loads = createLoadGuard();
  const pages = createNextPages({ source, store, watch: loads.watch });

  const show = (rows: Row[]) => store.set(withRows(store.get(), rows, source));
  const moveTo = (index: number) => {
    const { shown, nextCursor, phase } = store.get();
    const last = Math.max(0, shown.length - 1);
    // Beyond the last loaded row, the cursor waits there for the rows that follow.
    const wanted = index > last && nextCursor !== null ? index : null;
    store.set({ index: Math.max(0, Math.min(index, last)), wanted });
    const isNearEnd = source.arrange === undefined && index + loadAheadRows > last;
    // During a reload, the next page would belong to another filter than the rows on the screen.
    if (phase === 'ready' && nextCursor !== null && isNearEnd) void pages.loadNext();
  };
  const loadFirstPage = async (isCurrent: IsCurrent, delayMs: number) => {
    pages.forget();
    // The old rows stay until there are new ones, so that the screen does not flicker while a filter is typed.
    store.set({ phase: 'loading', isLoadingAll: false, wanted: null });
    try {
      if (delayMs > 0) await wait(delayMs);
      if (!isCurrent()) return;
      const page = await source.load(null, firstPageRows);
      if (!isCurrent()) return;
      source.onPage?.(page);
      const { nextCursor } = page;
      const rows = withRows(store.get(), [...page.rows], source);
      const total = page.total ?? null;
      const fresh = { marks: new Map(), unseen: new Set<string | number>() };
      store.set({ ...rows, ...fresh, nextCursor, total, phase: 'ready', error: '' });
      if (source.arrange !== undefined) await pages.loadAll();
    } catch (error) {
      if (!isCurrent()) return;
      // The old rows belong to another filter and would look like the result of this one.
      const nothing = { rows: [], shown: [], index: 0, nextCursor: null, total: null };
      store.set({ ...nothing, phase: 'failed', error: source.explain(error) });
    }
  };
  const refreshNewest = async (isCurrent: IsCurrent) => {
    const isNewest = startRequest();
    try {
      const newest = await readNewestRows(source, store.get().rows[0], firstPageRows);
      if (!isCurrent() || !isNewest()) return;
      for (const page of newest.pages) source.onPage?.(page);
      store.set(withNewestRows(store.get(), newest, source));
      // A sorted list needs all rows, also after a gap or an incomplete load.
      if (source.arrange !== undefined) void pages.loadAll();
    } catch (error) {
      if (isCurrent() && isNewest()) store.set({ error: source.explain(error) });
    }
  };

  const list: List<Row> = {
    store,
    pageRows: 10,
    saw(from, to) {
      const { shown, unseen } = store.get();
      const seen = shown
        .slice(from, to)
        .map(source.keyOf)
        .filter((key) => unseen.has(key));
      // Every drawing reports its rows. A new state for each would draw again, without end.
      if (seen.length === 0) return;
      const left = new Set(unseen);
      for (const key of seen) left.delete(key);
      // Quietly: what is drawn does not depend on the visible rows.
      store.setQuietly({ unseen: left });
    },
    current: () => store.get().shown[store.get().index],
    move(by) {
      const { index, wanted } = store.get();
      // A step back from the end that is still being loaded leaves from what is on the screen.
      moveTo((wanted === null || (wanted === Infinity && by < 0) ? index : wanted) + by);
    },
    toFirst() {
      // A person who goes to the newest rows knows about them, even if they do not all fit.
      store.setQuietly({ unseen: new Set() });
      moveTo(0);
    },
    toLast() {
      if (store.get().nextCursor === null) return moveTo(store.get().shown.length - 1);
      store.set({ wanted: Infinity });
      void list.loadAll();
    },
    toKey(key) {
      const index = indexOfKey(store.get().shown, key, 0, source.keyOf);
      if (index !== -1) moveTo(index);
    },
    reload: (delayMs = 0) => loads.start((isCurrent) => loadFirstPage(isCurrent, delayMs)),
    refresh() {
      const { phase } = store.get();
      if (phase === 'ready') return loads.run(refreshNewest);
      if (phase === 'failed' || !loads.hasStarted()) return list.reload();
      // If each refresh restarted the load, frequent refreshes would keep a slow load from ever finishing.
      return loads.afterwards(list.refresh);
    },
    async loadAll() {
      if (store.get().phase === 'loading') await loads.ended();
      await pages.loadAll();
    },
    updateRows: (change) => show(store.get().rows.map(change)),
    remove: (key) => show(store.get().rows.filter((row) => source.keyOf(row) !== key)),
    async rearrange() {
      store.set(withRows(store.get(), store.get().rows, source, true));
      if (source.arrange !== undefined) await list.loadAll();
    },
  };
  return list;
}
