import type { OutputOf } from '../../../../src/contract/registry.ts';
import { createScroll } from '../../components/scrolled.tsx';
import { createList } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Page } from '../../list/source.ts';
import type { App } from '../../state/app.ts';
import type { Screen } from '../../state/screen-types.ts';
import { createStore } from '../../state/store.ts';
import { issueReports } from '../issues/form.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { type ScrapingErrorRow, statusOrCode, withIssues } from './scraping-errors.tsx';
import { createRunList } from './scraping-runs.tsx';
import { scrapingErrorSubject } from './subject.ts';
import { type UsageState, usagePartNames, usageView } from './view.tsx';

interface UsagePage extends Page<ScrapingErrorRow> {
  /** Everything that was loaded together with the errors. */
  readonly analytics: OutputOf<'settings.show'>;
}

export function usageScreen(app: App): Screen {
  const store = createStore<UsageState>({ part: 'Tokens and cost', analytics: null });
  const scroll = createScroll();
  const errors = createList<ScrapingErrorRow, UsagePage>({
    async load() {
      const analytics = await app.call('settings.show', {});
      return { rows: await withIssues(app, analytics.scrapingErrors ?? []), nextCursor: null, analytics };
    },
    onPage: ({ analytics }) => store.set({ analytics }),
    keyOf: ({ id }) => id,
    timeOf: () => 0,
    explain: app.explain,
    now: app.now,
  });
  const runs = createRunList(app);
  const reports = issueReports(app, () => errors.refresh());
  const report = (error: ScrapingErrorRow) =>
    reports.open({
      source: { scraping_error_id: error.id },
      title: error.message === '' ? statusOrCode(error) : error.message,
      description: `${error.url}\n${statusOrCode(error)}, ${error.source}`,
    });
  const changePart = (step: number) => {
    const index = usagePartNames.indexOf(store.get().part) + step + usagePartNames.length;
    store.set({ part: usagePartNames[index % usagePartNames.length] ?? usagePartNames[0] });
    scroll.toFirst();
  };
  const movable = { Runs: runs, Errors: errors, 'Tokens and cost': scroll, Scraping: scroll };
  return {
    id: 'usage',
    title: 'Usage',
    chain: () => (store.get().part === 'Errors' ? 'errors' : 'usage'),
    subscribe: store.subscribe,
    // Prices and budgets are settings.
    isAffectedBy: (type) =>
      /^(token_usage|token_alert|scraping_run|setting|link)\.|^issues\.deleted$/.test(type),
    async refresh() {
      await Promise.all([errors.refresh(), runs.refresh()]);
    },
    drafts: reports.drafts,
    back: () => false,
    find(filter) {
      const part = usagePartNames.find((name) => name === filter);
      if (part !== undefined) store.set({ part });
      scroll.toFirst();
    },
    subject: () => (store.get().part === 'Errors' ? scrapingErrorSubject(errors.current()) : undefined),
    perform(action) {
      if (action === 'usage.next') return changePart(1);
      if (action === 'usage.previous') return changePart(-1);
      if (action === 'errors.issue') {
        store.set({ part: 'Errors' });
        return void withSelectedRow(app, errors, 'No scraping error selected.', report);
      }
      moveList(movable[store.get().part], action);
    },
    View: usageView(app, { store, scroll, runs, errors }),
  };
}
