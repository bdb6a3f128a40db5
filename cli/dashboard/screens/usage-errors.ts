import { pages } from '../../../src/contract/pages.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { withIssues } from '../../access/pages.ts';
import { cut, wrap } from '../../terminal/cells.ts';
import type { Column } from '../../terminal/columns.ts';
import { printable } from '../../terminal/text.ts';
import { dateTime } from '../../terminal/time.ts';
import { statusTone } from '../../terminal/tones.ts';
import { codeOf, errorColumns } from '../../terminal/usage-columns.ts';
import type { App } from '../app/app.ts';
import type { Screen } from '../app/types.ts';
import { openMenu } from '../dialogs/menu.ts';
import { style, toned } from '../draw/style.ts';
import { listScreen } from '../list/list-screen.ts';
import { createRows } from '../list/rows.ts';
import { copying } from '../parts/copying.ts';
import { detail } from '../parts/detail.ts';
import { linking } from '../parts/linking.ts';
import { openReport } from '../parts/reporting.ts';

type ScrapingError = OutputOf<'scrapingRuns.errors'>['errors'][number];
/** A scraping error with the issues that were reported from it. */
type Row = ScrapingError & { readonly issues: OutputOf<'links.list'>['links'] };

const columns: readonly Column<Row>[] = [
  ...errorColumns.map((column) =>
    column.heading === 'code' ? { ...column, tone: () => 'bad' as const } : column,
  ),
  {
    heading: 'issue',
    width: 7,
    dropAs: 1,
    tone: () => 'accent',
    value: ({ issues }) => issues.map(({ issue_id }) => `#${issue_id}`).join(' '),
  },
];

/** The errors of the scraping runs, the newest first, and what reports an issue from one. */
export function scrapingErrors(app: App): { readonly tab: Screen; report(): void } {
  const rows = createRows<Row>(app, {
    keyOf: ({ id }) => id,
    sort: '',
    maxLimit: 1_000,
    async load(_asked, cursor, limit) {
      const from = cursor === null ? {} : { cursor };
      const { errors, nextCursor } = await app.call('scrapingRuns.errors', { ...from, limit });
      return { rows: await withIssues(app, errors), next: nextCursor ?? null };
    },
  });
  const open = (error: Row) =>
    openReport(app, {
      name: `new issue from scraping error ${error.id}`,
      initial: {
        title: error.message === '' ? codeOf(error) : error.message,
        description: `${error.url}\n${codeOf(error)}, ${error.source}`,
      },
      source: { scraping_error_id: error.id },
      reported: () => app.refresh(),
    });
  const titleOf = ({ issue_id, issue_title }: Row['issues'][number]) =>
    `#${issue_id} ${printable(issue_title)}`;
  const report = () => {
    const error = rows.current();
    if (error === undefined) return app.say('There is no scraping error.', 'note');
    if (error.issues.length === 0) return open(error);
    openMenu(app, {
      title: 'Already reported',
      find: () => [
        ...error.issues.map((issue) => ({
          title: `Go to ${titleOf(issue)}`,
          run: () => app.visit('issues', issue.issue_id),
        })),
        { title: 'Report another issue', run: () => open(error) },
      ],
      text: ({ title }) => title,
      take: ({ run }) => run(),
    });
  };
  const tab = listScreen<Row>(
    { id: 'usage', title: 'Errors', columns: () => columns, empty: () => 'No scraping errors.' },
    rows,
    [
      detail<Row>(app, rows, { titleOf: ({ id }) => `Scraping error ${id}`, lines: errorLines }),
      {
        onEvents(events) {
          if (events.some(({ type }) => /^(scraping_run|link)\.|^issues?\.(updated|deleted)$/.test(type)))
            app.refresh();
        },
      },
      linking(app, rows, async ({ issues }) =>
        issues.map((issue) => ({ title: titleOf(issue), screen: 'issues', key: issue.issue_id })),
      ),
      copying(app, rows, {
        path: () => pages.scraping.path,
        short: ({ url }) => url,
        whole: (error) => [...factsOf(error).map(([, text]) => text), error.message].join('\n'),
      }),
    ],
  );
  return { tab, report };
}

const factsOf = (error: Row): readonly (readonly [string, string])[] => [
  ['What', codeOf(error)],
  ['Page', error.url],
  ['Where', `${error.source}, run ${error.runId}`],
  ['When', `${dateTime(error.occurredAt)} UTC`],
];

function errorLines(error: Row, cells: number): readonly string[] {
  const facts = factsOf(error).flatMap(([name, text]) =>
    wrap(text, cells - 11).map((line, at) => `  ${style.quiet((at === 0 ? name : '').padEnd(6))} ${line}`),
  );
  return [
    ...facts,
    ...wrap(error.message, cells - 11).map((line) => `         ${line}`),
    ...error.issues.map(
      ({ issue_id, issue_title, issue_status }) =>
        `${style.accent(cut(`  → #${issue_id} ${printable(issue_title)}`, cells - 16))}  ${toned(statusTone(issue_status))(printable(issue_status))}`,
    ),
  ];
}
