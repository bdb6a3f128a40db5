import { latestOnly } from '../../../../src/shared/waiting.ts';
import { createScroll } from '../../components/scrolled.tsx';
import { moveList } from '../../list/move.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { chartPeriods, type IssueStatistics } from './lines.ts';
import { type ChartsState, chartsView } from './view.tsx';

export function chartsScreen(app: App): Screen {
  const store = createStore<ChartsState>({ period: 'all', loaded: null, error: '' });
  const scroll = createScroll();
  const startRequest = latestOnly();
  const load = async () => {
    const { period } = store.get();
    const isNewest = startRequest();
    const [statistics, trend] = await Promise.allSettled([
      app.call('issues.list', { period }),
      app.call('issues.trend', {}),
    ]);
    if (period !== store.get().period || !isNewest()) return;
    if (statistics.status === 'rejected') return store.set({ error: app.explain(statistics.reason) });
    const loaded = {
      period,
      statistics: statistics.value as IssueStatistics,
      trend: trend.status === 'fulfilled' ? trend.value : app.explain(trend.reason),
    };
    store.set({ loaded, error: '' });
  };
  const changePeriod = (step: number) => {
    const index = chartPeriods.indexOf(store.get().period) + step + chartPeriods.length;
    store.set({ period: chartPeriods[index % chartPeriods.length] ?? 'all', error: '' });
    void load();
  };
  return {
    id: 'charts',
    title: 'Charts',
    chain: () => 'charts',
    isAffectedBy: (type) => /^issues?\./.test(type),
    refresh: load,
    back: () => false,
    perform(action) {
      if (action === 'charts.period') return changePeriod(1);
      if (action === 'charts.periodBack') return changePeriod(-1);
      moveList(scroll, action);
    },
    View: chartsView({ store, scroll }),
  };
}
