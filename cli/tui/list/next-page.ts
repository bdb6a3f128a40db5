import { singleFlight } from '../../../src/shared/waiting.ts';
import type { Store } from '../state/store.ts';
import type { IsCurrent } from './load-guard.ts';
import type { ListSource, Page } from './source.ts';
import { type ListState, towardsWanted, withRows } from './state.ts';

export interface NextPagesOptions<Row, Found extends Page<Row>> {
  readonly source: ListSource<Row, Found>;
  readonly store: Store<ListState<Row>>;
  /** Returns a function that reports whether the list has not been loaded again since. */
  readonly watch: () => IsCurrent;
}

/** Small enough that the garbage of one page is collected before the next one arrives. */
const pageRows = 200;
/** The time between two updates of the screen while all rows are loaded. */
const progressIntervalMs = 200;

/** Loads the pages that follow the rows of a list. Never rejects: failures go into the list's state. */
export function createNextPages<Row, Found extends Page<Row>>({
  source,
  store,
  watch,
}: NextPagesOptions<Row, Found>) {
  let updatedAt = -Infinity;
  /** How many rows were in the order of the list when it was last made. */
  let arranged = 0;

  const add = (page: Found) => {
    const { rows, isLoadingAll } = store.get();
    const { nextCursor } = page;
    const known = new Set(rows.slice(-pageRows).map(source.keyOf));
    // In place: a copy per page of a long list would take more memory than the list.
    for (const row of page.rows) if (!known.has(source.keyOf(row))) rows.push(row);
    const isComplete = nextCursor === null;
    // Do not update the screen for every page: drawing a frame costs more than loading a page.
    if (isLoadingAll && !isComplete && performance.now() - updatedAt < progressIntervalMs)
      return store.setQuietly({ nextCursor });
    updatedAt = performance.now();
    // A long list is sorted whenever it is twice as long: sorting it for every page would take longer than loading it.
    const isSorted =
      source.arrange !== undefined && (isComplete || !isLoadingAll || rows.length >= 2 * arranged);
    if (isSorted) arranged = rows.length;
    const shown = isSorted ? withRows(store.get(), rows, source, isLoadingAll) : {};
    const state = { ...store.get(), ...shown };
    store.set({ ...shown, nextCursor, ...towardsWanted(state, state.shown, isComplete) });
  };
  const nextPage = singleFlight(async () => {
    const { nextCursor } = store.get();
    if (nextCursor === null) return;
    const isCurrent = watch();
    const page = await source.load(nextCursor, pageRows);
    // A refresh that left a gap has replaced the rows, and this page does not follow the new ones.
    if (!isCurrent() || store.get().nextCursor !== nextCursor) return;
    source.onPage?.(page);
    add(page);
  });
  const reportFailure = async (work: () => Promise<void>) => {
    const isCurrent = watch();
    try {
      await work();
    } catch (error) {
      // Without the rows, the cursor has nothing to wait for.
      if (isCurrent()) store.set({ error: source.explain(error), wanted: null });
    }
  };
  const allPages = singleFlight(async () => {
    if (store.get().nextCursor === null) return;
    const isCurrent = watch();
    arranged = 0;
    store.set({ isLoadingAll: true });
    await reportFailure(async () => {
      while (isCurrent() && store.get().nextCursor !== null) await nextPage.run();
    });
    if (!isCurrent()) return;
    const isWhole = store.get().nextCursor === null;
    store.set({
      isLoadingAll: false,
      ...(isWhole ? {} : withRows(store.get(), store.get().rows, source, true)),
    });
  });
  return {
    /** Loads the next page, and more until the cursor is where the user wants it. */
    loadNext: () =>
      reportFailure(async () => {
        const isCurrent = watch();
        do await nextPage.run();
        while (isCurrent() && store.get().wanted !== null && store.get().nextCursor !== null);
      }),
    loadAll: allPages.run,
    /** Abandons the running loads, after the list's rows were replaced. */
    forget() {
      nextPage.forget();
      allPages.forget();
    },
  };
}
