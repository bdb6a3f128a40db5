import type { OutputOf } from '../../../src/contract/index.ts';
import { apart } from '../../output/cells.ts';
import type { App } from '../app.ts';
import { Lines } from '../components/lines.tsx';
import type { Screen, Size } from '../layer.ts';
import { moveList } from '../list/list.ts';
import { createStore, useStore } from '../store.ts';
import { picker, theme } from '../theme.ts';
import { scrapingLines, tokenLines } from './usage-lines.ts';

const parts = ['Tokens and cost', 'Scraping'];

interface State {
  readonly part: number;
  readonly shown: OutputOf<'settings.show'> | null;
  readonly error: string;
  readonly top: number;
}

export function usageScreen(app: App): Screen {
  const store = createStore<State>({ part: 0, shown: null, error: '', top: 0 });
  let seen = 10;
  let total = 0;
  const load = async () => {
    try {
      store.set({ shown: await app.call('settings.show', {}), error: '' });
    } catch (error) {
      store.set({ error: app.explain(error) });
    }
  };
  const put = (top: number) => store.set({ top: Math.max(0, Math.min(top, total - seen)) });
  const turn = (by: number) =>
    store.set({ part: (store.get().part + by + parts.length) % parts.length, top: 0 });
  return {
    id: 'usage',
    title: 'Usage',
    chain: () => 'usage',
    // Prices and budgets are settings.
    minds: (type) => /^(token_usage|token_alert|scraping_run|setting)\./.test(type),
    refresh: load,
    back: () => false,
    perform(action) {
      if (action === 'usage.next') return turn(1);
      if (action === 'usage.previous') return turn(-1);
      const move = (by: number) => put(store.get().top + by);
      moveList({ pageRows: seen, move, toFirst: () => put(0), toLast: () => put(total) }, action);
    },
    View: ({ width, height }: Size) => {
      const { part, shown, error, top } = useStore(store);
      const { now } = useStore(app.store);
      const lines =
        shown === null
          ? [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`]
          : part === 0
            ? tokenLines(shown, width)
            : scrapingLines(shown, width, now);
      seen = height - 2;
      total = lines.length;
      const from = Math.max(0, Math.min(top, total - seen));
      const below = total - from - seen;
      const more = below > 0 ? theme.quiet(`↓ ${below} more lines `) : '';
      return (
        <Lines lines={[apart(picker(parts, part), more, width), '', ...lines.slice(from)]} height={height} />
      );
    },
  };
}
