import { type IssuePeriod, issuePeriods } from '../../../../src/contract/vocabulary.ts';
import { latestOnly } from '../../../../src/shared/latest-only.ts';
import type { App } from '../../app.ts';
import { createScroll, Scrolled } from '../../components/scrolled.tsx';
import { moveList } from '../../list/move.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { createStore, useStore } from '../../store.ts';
import { picker, theme } from '../../theme.ts';
import { type Counted, chartLines, type Statistics } from './lines.ts';

const periods = Object.keys(issuePeriods) as IssuePeriod[];
const periodNames = Object.values(issuePeriods);

interface State {
  readonly period: IssuePeriod;
  /** Of a period, which need not be the one that is chosen by now. */
  readonly loaded: (Counted & { readonly period: IssuePeriod }) | null;
  readonly error: string;
}

export function chartsScreen(app: App): Screen {
  const store = createStore<State>({ period: 'all', loaded: null, error: '' });
  const scroll = createScroll();
  const beginLook = latestOnly();
  const load = async () => {
    const { period } = store.get();
    const isNewest = beginLook();
    const [statistics, trend] = await Promise.allSettled([
      app.call('issues.list', { period }),
      app.call('issues.trend', {}),
    ]);
    if (period !== store.get().period || !isNewest()) return;
    if (statistics.status === 'rejected') return store.set({ error: app.explain(statistics.reason) });
    const loaded = {
      period,
      statistics: statistics.value as Statistics,
      trend: trend.status === 'fulfilled' ? trend.value : app.explain(trend.reason),
    };
    store.set({ loaded, error: '' });
  };
  const turn = (by: number) => {
    const at = periods.indexOf(store.get().period) + by + periods.length;
    store.set({ period: periods[at % periods.length] ?? 'all', error: '' });
    void load();
  };
  return {
    id: 'charts',
    title: 'Charts',
    chain: () => 'charts',
    minds: (type) => type.startsWith('issue.'),
    refresh: load,
    back: () => false,
    perform(action) {
      if (action === 'charts.period') return turn(1);
      if (action === 'charts.periodBack') return turn(-1);
      moveList(scroll, action);
    },
    View: ({ width, height }: Size) => {
      const { period, loaded, error } = useStore(store);
      const head = picker(periodNames, periods.indexOf(period));
      const lines =
        loaded?.period === period
          ? chartLines(loaded, width)
          : [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`];
      return <Scrolled scroll={scroll} head={head} lines={lines} width={width} height={height} />;
    },
  };
}
