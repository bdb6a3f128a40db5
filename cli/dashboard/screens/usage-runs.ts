import { scrapingRuns as noun } from '../../../src/contract/fields/scraping-runs.ts';
import { pages } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { listColumns } from '../../terminal/columns.ts';
import { duration } from '../../terminal/time.ts';
import type { App } from '../app/app.ts';
import type { Screen } from '../app/types.ts';
import { connectHint } from '../draw/describe.ts';
import { following } from '../list/following.ts';
import { listScreen } from '../list/list-screen.ts';
import { cursorRows } from '../list/sources.ts';
import { asking } from '../parts/asking.ts';
import { copying } from '../parts/copying.ts';

type Run = OutputOf<'scrapingRuns.list'>['runs'][number] & { readonly id: string };

const counts = ['errors', 'items_scraped', 'pages_succeeded', 'pages_failed', 'pages_blocked'] as const;
const bad = new Set<string>(['errors', 'pages_failed']);
const columns = [
  ...listColumns<Run>(
    noun,
    {
      source: 0,
      status: 0,
      pages_succeeded: 2,
      pages_failed: 3,
      pages_blocked: 4,
      items_scraped: 1,
      errors: 0,
      started_at: 0,
      run_id: 5,
    },
    {
      run_id: { tone: () => 'quiet' },
      ...Object.fromEntries(
        counts.map((name) => [
          name,
          { width: 7, tone: (run: Run) => (bad.has(name) ? (run[name] > 0 ? 'bad' : 'quiet') : undefined) },
        ]),
      ),
    },
  ),
  {
    heading: 'took',
    width: 5,
    align: 'right' as const,
    dropAs: 6,
    tone: () => 'quiet' as const,
    value: ({ started_at, finished_at }: Run) =>
      finished_at === null ? '' : duration(started_at, finished_at),
  },
];

/** The scraping runs, most recently started first. */
export function runsTab(app: App): Screen {
  const toRow = (run: Omit<Run, 'id'>) => ({ ...run, id: run.run_id });
  const rows = cursorRows<'scrapingRuns.list', Run>(app, 'scrapingRuns.list', {}, toRow, '-started_at');
  const asked = asking(app, rows, { noun, columns });
  const screen = listScreen<Run>(
    {
      id: 'usage',
      title: 'Runs',
      columns: asked.columns,
      empty: () =>
        rows.asked().text === '' ? `No scraping runs yet. ${connectHint}` : 'No scraping run matches.',
    },
    rows,
    [
      asked,
      following(app, rows, noun),
      copying(app, rows, {
        path: () => pages.scraping.path,
        short: ({ run_id }) => run_id,
        whole: (run) =>
          Object.entries(run)
            .filter(([name]) => name !== 'id')
            .map(([name, value]) => `${name}: ${value ?? ''}`)
            .join('\n'),
      }),
    ],
  );
  asked.openView();
  return screen;
}
