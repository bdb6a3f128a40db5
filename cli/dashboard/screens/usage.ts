import { ratedRuns } from '../../../src/contract/figures.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { wrap } from '../../terminal/cells.ts';
import { counted, inSeconds, percent } from '../../terminal/text.ts';
import { ago } from '../../terminal/time.ts';
import { scrapingLines } from '../../terminal/usage.ts';
import { sourceColumns } from '../../terminal/usage-columns.ts';
import type { App } from '../app/app.ts';
import { action, type Size } from '../app/types.ts';
import { heading } from '../draw/charts.ts';
import { connectHint } from '../draw/describe.ts';
import { style } from '../draw/style.ts';
import { tableLines } from '../draw/table.ts';
import { linesScreen, loading } from '../list/lines-screen.ts';
import { type Tabbed, tabbedScreen } from '../parts/tabs.ts';
import { scrapingErrors } from './usage-errors.ts';
import { runsTab } from './usage-runs.ts';
import { tokenLines } from './usage-tokens.ts';

type Shown = OutputOf<'settings.show'>;

/** The AI tokens and the scraping of this month, the runs, and their errors. */
export function usageScreen(app: App): Tabbed {
  const month = loading(app, () => app.call('settings.show', {}));
  // Prices and budgets are settings.
  const events = /^(token_usage|token_alert|scraping_run|settings?)\./;
  const monthTab = (title: string, lines: (shown: Shown, size: Size) => readonly string[]) =>
    linesScreen<Shown>(app, { id: 'usage', title, events, loading: month, lines });
  const errors = scrapingErrors(app);
  const screen: Tabbed = tabbedScreen(
    app,
    { id: 'usage', title: 'Usage' },
    [monthTab('Tokens and cost', tokenLines), monthTab('Scraping', monthLines), runsTab(app), errors.tab],
    (tab) => [
      action(
        'usage.issue',
        'i',
        {
          title: 'Report an issue from the scraping error',
          calls: 'issues.create',
          ...(tab === errors.tab ? { hint: 'report issue' } : {}),
        },
        async () => {
          if (tab !== errors.tab) await screen.filter(errors.tab.title);
          errors.report();
        },
      ),
    ],
  );
  return screen;
}

/** A wider table is harder to read across. */
const maxTableCells = 100;

/** Draws the scraping of a month: in numbers, and by source. */
function monthLines({ scraping }: Shown, { width }: Size): readonly string[] {
  if (scraping === undefined) return [];
  const { month, timezone, successRate, avgDurationMs, lastRunAt, bySource } = scraping;
  const results = [
    ...(successRate === null
      ? []
      : [`${percent(successRate)} of ${counted(ratedRuns(scraping), 'run')} succeeded`]),
    ...(avgDurationMs === null ? [] : [`${inSeconds(avgDurationMs)} on average`]),
    ...(lastRunAt === null ? [] : [`the last ${ago(lastRunAt)}`]),
  ].join(', ');
  const sources = bySource.map((row) => ({ row, isCurrent: false, signs: '   ' }));
  return [
    '',
    heading(month, timezone),
    ...scrapingLines(scraping, width - 2).map((line) => `  ${line}`),
    ...wrap(results, width - 11).map((line) => `           ${style.quiet(line)}`),
    ...(results === '' ? [] : ['']),
    heading('By source'),
    ...(sources.length === 0
      ? ['No runs this month.', connectHint].map((line) => `    ${style.quiet(line)}`)
      : tableLines(sourceColumns, sources, Math.min(width, maxTableCells))),
  ];
}
