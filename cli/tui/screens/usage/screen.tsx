import type { OutputOf } from '../../../../src/contract/registry.ts';
import type { App } from '../../app.ts';
import { Lines } from '../../components/lines.tsx';
import { createScroll, Scrolled } from '../../components/scrolled.tsx';
import { createList } from '../../list/list.ts';
import { moveList } from '../../list/move.ts';
import type { Page } from '../../list/source.ts';
import type { Screen, Size } from '../../screen-types.ts';
import { createStore, useStore } from '../../store.ts';
import { picker, theme } from '../../theme.ts';
import { issueReports } from '../issues/form.ts';
import { withSelectedRow } from '../with-selected-row.ts';
import { scrapingLines, tokenLines } from './lines.ts';
import { type ScrapingError, ScrapingErrorsView, statusOrCode, withIssues } from './scraping-errors.tsx';
import { createRunList, ScrapingRunsView } from './scraping-runs.tsx';

const parts = ['Tokens and cost', 'Scraping', 'Runs', 'Errors'] as const;
type Part = (typeof parts)[number];

interface State {
  readonly part: Part;
  readonly shown: OutputOf<'settings.show'> | null;
}

interface UsagePage extends Page<ScrapingError> {
  /** All that was read with the errors. */
  readonly shown: OutputOf<'settings.show'>;
}

export function usageScreen(app: App): Screen {
  const store = createStore<State>({ part: 'Tokens and cost', shown: null });
  const scroll = createScroll();
  const errors = createList<ScrapingError, UsagePage>({
    async load() {
      const shown = await app.call('settings.show', {});
      return { rows: await withIssues(app, shown.scrapingErrors ?? []), nextCursor: null, shown };
    },
    taken: ({ shown }) => store.set({ shown }),
    keyOf: ({ id }) => id,
    timeOf: () => 0,
    explain: app.explain,
    now: app.now,
  });
  const runs = createRunList(app);
  const reports = issueReports(app, () => errors.refresh());
  const report = (error: ScrapingError) =>
    reports.open({
      source: { scraping_error_id: error.id },
      title: error.message === '' ? statusOrCode(error) : error.message,
      description: `${error.url}\n${statusOrCode(error)}, ${error.source}`,
    });
  const turn = (by: number) => {
    const at = parts.indexOf(store.get().part) + by + parts.length;
    store.set({ part: parts[at % parts.length] ?? parts[0] });
    scroll.toFirst();
  };
  const lists = { Runs: runs, Errors: errors, 'Tokens and cost': scroll, Scraping: scroll };
  return {
    id: 'usage',
    title: 'Usage',
    chain: () => (store.get().part === 'Errors' ? 'errors' : 'usage'),
    subscribe: store.subscribe,
    // Prices and budgets are settings.
    minds: (type) => /^(token_usage|token_alert|scraping_run|setting|link)\./.test(type),
    async refresh() {
      await Promise.all([errors.refresh(), runs.refresh()]);
    },
    unsent: reports.unsent,
    back: () => false,
    perform(action) {
      if (action === 'usage.next') return turn(1);
      if (action === 'usage.previous') return turn(-1);
      if (action === 'errors.issue') {
        store.set({ part: 'Errors' });
        return void withSelectedRow(app, errors, 'There is no scraping error here.', report);
      }
      moveList(lists[store.get().part], action);
    },
    View: ({ width, height }: Size) => {
      const { part, shown } = useStore(store);
      const { error } = useStore(errors.store);
      const { now } = useStore(app.store);
      const head = picker(parts, parts.indexOf(part));
      if (part === 'Runs' || part === 'Errors') {
        const size = { app, width, height: height - 2 };
        return (
          <>
            <Lines lines={[head, '']} height={2} />
            {part === 'Runs' ? (
              <ScrapingRunsView list={runs} {...size} />
            ) : (
              <ScrapingErrorsView list={errors} {...size} />
            )}
          </>
        );
      }
      const lines =
        shown === null
          ? [error === '' ? theme.quiet('    Loading…') : `    ✗ ${error}`]
          : part === 'Tokens and cost'
            ? tokenLines(shown, width)
            : scrapingLines(shown, width, now);
      return <Scrolled scroll={scroll} head={head} lines={lines} width={width} height={height} />;
    },
  };
}
