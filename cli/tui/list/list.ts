import { setTimeout as pauseFor } from 'node:timers/promises';
import { latestOnly } from '../../../src/shared/latest-only.ts';
import { createStore, type Store } from '../store.ts';
import { createLoads, type IsStill } from './loads.ts';
import { createMore } from './more.ts';
import type { ListSource, Page } from './source.ts';
import { emptyList, indexOfKey, type ListState, refreshed, showing } from './state.ts';
import { readTop } from './top.ts';

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
  /**
   * Forgets what is loaded and begins again, for another filter.
   *
   * @param pause - milliseconds before it does: where it is asked again meanwhile, only the last one loads
   */
  reload(pause?: number): Promise<void>;
  /** Reads the top anew and keeps the rest. While the list is loaded, it waits for that, with all who ask meanwhile. */
  refresh(): Promise<void>;
  /** Loads all there is. */
  fill(): Promise<void>;
  /** Replaces rows as they are known to be by now. */
  amend(change: (row: Row) => Row): void;
  remove(key: string | number): void;
  rearrange(): void;
}

/** Milliseconds that a reload waits for the next key of whoever types a filter. */
export const typingPause = 120;
const firstPage = 200;
/** So far before the end more is loaded: a second of paging on a tall terminal. */
const ahead = 1_000;

export function createList<Row, Found extends Page<Row> = Page<Row>>(
  source: ListSource<Row, Found>,
): List<Row> {
  const store = createStore<ListState<Row>>(emptyList());
  const beginLook = latestOnly();
  const loads = createLoads();
  const more = createMore({ source, store, watch: loads.watch });

  const show = (rows: Row[]) => store.set(showing(store.get(), rows, source));
  const put = (index: number) => {
    const { shown, nextCursor, phase } = store.get();
    const last = Math.max(0, shown.length - 1);
    store.set({ index: Math.max(0, Math.min(index, last)) });
    const isNear = source.arrange === undefined && index + ahead > last;
    // While the list begins anew, what would follow is of another filter than the rows that are still shown.
    if (phase === 'ready' && nextCursor !== null && isNear) void more.next();
  };
  const loadAnew = async (isStill: IsStill, pause: number) => {
    more.forget();
    // What is shown stays until there is something else: no flicker while somebody types a filter.
    store.set({ phase: 'loading', filling: false });
    try {
      if (pause > 0) await pauseFor(pause);
      if (!isStill()) return;
      const page = await source.load(null, firstPage);
      if (!isStill()) return;
      source.taken?.(page);
      const { nextCursor } = page;
      const rows = showing(store.get(), [...page.rows], source);
      store.set({ ...rows, nextCursor, phase: 'ready', error: '', marks: new Map() });
      if (source.arrange !== undefined) await more.all();
    } catch (error) {
      if (!isStill()) return;
      // What is still shown is of another filter, and would read as the answer to this one.
      const nothing = { rows: [], shown: [], index: 0, nextCursor: null };
      store.set({ ...nothing, phase: 'failed', error: source.explain(error) });
    }
  };
  const look = async (isStill: IsStill) => {
    const isNewest = beginLook();
    try {
      const top = await readTop(source, store.get().rows[0], firstPage);
      if (!isStill() || !isNewest()) return;
      for (const page of top.pages) source.taken?.(page);
      store.set(refreshed(store.get(), top, source));
      // A sorted list is shown whole, also where it began anew or could not be loaded to its end.
      if (source.arrange !== undefined) void more.all();
    } catch (error) {
      if (isStill() && isNewest()) store.set({ error: source.explain(error) });
    }
  };

  const list: List<Row> = {
    store,
    pageRows: 10,
    current: () => store.get().shown[store.get().index],
    move: (by) => put(store.get().index + by),
    toFirst: () => put(0),
    toLast() {
      const toEnd = () => put(store.get().shown.length - 1);
      if (store.get().nextCursor === null) return toEnd();
      const isStill = loads.watch();
      // Whoever has asked for other rows meanwhile does not want the last of those.
      void list.fill().then(() => isStill() && toEnd());
    },
    toKey(key) {
      const index = indexOfKey(store.get().shown, key, 0, source.keyOf);
      if (index !== -1) put(index);
    },
    reload: (pause = 0) => loads.begin((isStill) => loadAnew(isStill, pause)),
    refresh() {
      const { phase } = store.get();
      if (phase === 'ready') return loads.run(look);
      if (phase === 'failed' || !loads.hasBegun()) return list.reload();
      // A load that each look began anew would never end where looks are asked for faster than they are answered.
      return loads.afterwards(list.refresh);
    },
    async fill() {
      if (store.get().phase === 'loading') await loads.ended();
      await more.all();
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
