import { activityTypes } from '../../../../src/contract/activity.ts';
import { latestOnly, wait } from '../../../../src/shared/waiting.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { loadOverview } from './load.ts';
import { goToTarget } from './targets.ts';
import { type OverviewItems, type OverviewState, overviewView } from './view.tsx';

/** The least time between two loads, so that a busy service is not asked again for each event. */
const pauseMs = 1_000;

export function overviewScreen(app: App): Screen {
  const store = createStore<OverviewState>({ data: null, error: '', index: 0 });
  const startRequest = latestOnly();
  let items: OverviewItems = { tiles: [], activity: [], tilesPerRow: 1 };
  let loadedAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    const isNewest = startRequest();
    await wait(Math.max(0, loadedAt + pauseMs - performance.now()));
    if (!isNewest()) return;
    try {
      const data = await loadOverview(app);
      if (isNewest()) store.set({ data, error: '' });
    } catch (error) {
      if (isNewest()) store.set({ error: app.explain(error) });
    } finally {
      loadedAt = performance.now();
    }
  };
  const moveTo = (index: number) => {
    const last = items.tiles.length + items.activity.length - 1;
    store.set({ index: Math.max(0, Math.min(index, last)) });
  };
  /** Moves by rows: tiles stand side by side, and each entry of the activity is a row. */
  const moveRows = (rows: number) => {
    const { index } = store.get();
    const { tiles, tilesPerRow } = items;
    const next = index + (index < tiles.length ? rows * tilesPerRow : rows);
    if (index < tiles.length && next >= tiles.length) {
      const lastRow = Math.floor((tiles.length - 1) / tilesPerRow);
      const isInLastRow = Math.floor(index / tilesPerRow) === lastRow;
      return moveTo(isInLastRow ? tiles.length : tiles.length - 1);
    }
    if (index >= tiles.length && next < tiles.length) return moveTo(tiles.length - 1);
    if (next >= 0) moveTo(next);
  };
  const open = () => {
    const { index } = store.get();
    const target = items.tiles[index]?.target ?? items.activity[index - items.tiles.length]?.target;
    if (target !== undefined) goToTarget(app, target);
  };
  return {
    id: 'overview',
    title: 'Overview',
    chain: () => 'overview',
    isAffectedBy: (type) =>
      /^(issues?|conversations?|message|setting|scraping_run|token_usage)\./.test(type) ||
      (activityTypes as readonly string[]).includes(type),
    refresh,
    back: () => false,
    perform(action) {
      switch (action) {
        case 'overview.open':
          return open();
        case 'overview.left':
          return moveTo(store.get().index - 1);
        case 'overview.right':
          return moveTo(store.get().index + 1);
        case 'list.down':
          return moveRows(1);
        case 'list.up':
          return moveRows(-1);
        case 'list.first':
          return moveTo(0);
        case 'list.last':
          return moveTo(Number.MAX_SAFE_INTEGER);
        case 'list.pageDown':
        case 'list.halfDown':
          return moveTo(Math.max(items.tiles.length, store.get().index + 5));
        case 'list.pageUp':
        case 'list.halfUp':
          return moveTo(store.get().index - 5);
      }
    },
    View: overviewView(app, store, (drawn) => {
      items = drawn;
    }),
  };
}
