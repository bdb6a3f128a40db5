import type { Store } from '../store.ts';
import type { IsStill } from './loads.ts';
import type { ListSource, Page } from './source.ts';
import { type ListState, showing } from './state.ts';

export interface MoreOptions<Row, Found extends Page<Row>> {
  readonly source: ListSource<Row, Found>;
  readonly store: Store<ListState<Row>>;
  /** Begins to watch whether the list begins anew. */
  readonly watch: () => IsStill;
}

/** Small enough that what a page leaves behind is gone before the next one comes. */
const nextPage = 200;
/** Milliseconds between two looks at how far the loading of everything is. */
const pauseBetweenLooks = 200;

/** Loads what follows the rows of a list. Tells its failures itself. */
export function createMore<Row, Found extends Page<Row>>({ source, store, watch }: MoreOptions<Row, Found>) {
  let toldAt = 0;

  const add = (page: Found) => {
    const { rows, filling } = store.get();
    const { nextCursor } = page;
    const known = new Set(rows.slice(-nextPage).map(source.keyOf));
    // Added in place: a copy for each page of a long list would cost more memory than the list.
    for (const row of page.rows) if (!known.has(source.keyOf(row))) rows.push(row);
    const isWhole = nextCursor === null;
    // While everything is loaded, a look now and then is enough: a frame costs more than a page.
    if (filling && !isWhole && Date.now() - toldAt < pauseBetweenLooks) return store.keep({ nextCursor });
    toldAt = Date.now();
    // A long list is sorted once, when it is whole.
    const isSorted = source.arrange !== undefined && (isWhole || !filling);
    store.set(isSorted ? { ...showing(store.get(), rows, source), nextCursor } : { nextCursor });
  };
  const page = shared(async () => {
    const { nextCursor } = store.get();
    if (nextCursor === null) return;
    const isStill = watch();
    const found = await source.load(nextCursor, nextPage);
    // A look that did not reach the rows it knew has put others in their place: behind those, this page is not next.
    if (!isStill() || store.get().nextCursor !== nextCursor) return;
    source.taken?.(found);
    add(found);
  });
  const told = async (work: () => Promise<void>) => {
    const isStill = watch();
    try {
      await work();
    } catch (error) {
      if (isStill()) store.set({ error: source.explain(error) });
    }
  };
  const everything = shared(async () => {
    if (store.get().nextCursor === null) return;
    const isStill = watch();
    store.set({ filling: true });
    await told(async () => {
      while (isStill() && store.get().nextCursor !== null) await page.ask();
    });
    if (isStill()) store.set({ filling: false, ...showing(store.get(), store.get().rows, source) });
  });
  return {
    next: () => told(page.ask),
    all: everything.ask,
    /** What is under way belongs to rows that are not wanted any more. */
    forget() {
      page.forget();
      everything.forget();
    },
  };
}

/** Work that is done once for all who ask for it while it is under way. */
function shared(work: () => Promise<void>) {
  let underWay: Promise<void> | undefined;
  return {
    ask(): Promise<void> {
      if (underWay !== undefined) return underWay;
      const mine = work().finally(() => {
        if (underWay === mine) underWay = undefined;
      });
      underWay = mine;
      return mine;
    },
    forget() {
      underWay = undefined;
    },
  };
}
