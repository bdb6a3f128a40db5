import { Box } from 'ink';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { cut, wrap } from '../../../terminal/cells.ts';
import { printable } from '../../../terminal/text.ts';
import { ageColumn } from '../../components/age-column.ts';
import { Lines } from '../../components/lines.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import { titleRule } from '../../components/title-rule.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Size } from '../../state/screen-types.ts';
import { useStore } from '../../state/store.ts';
import { dateTime } from '../../text/age.ts';
import { statusPaint, theme } from '../../theme.ts';

type ScrapingErrors = NonNullable<OutputOf<'settings.show'>['scrapingErrors']>;
type IssueLink = OutputOf<'links.list'>['links'][number];

/** A scraping error with the issues that were reported from it. */
export type ScrapingErrorRow = ScrapingErrors[number] & { readonly issues: readonly IssueLink[] };

/** Returns the scraping errors, each with its issues. */
export async function withIssues(app: App, errors: ScrapingErrors): Promise<ScrapingErrorRow[]> {
  if (errors.length === 0) return [];
  const ids = errors.map(({ id }) => id).join(',');
  const { links } = await app.call('links.list', { scraping_error_id: ids });
  return errors.map((error) => ({
    ...error,
    issues: links.filter(({ scraping_error_id }) => scraping_error_id === error.id),
  }));
}

export interface ScrapingErrorsProps extends Size {
  readonly app: App;
  readonly list: List<ScrapingErrorRow>;
}

/** Shows the latest scraping errors and, below them, the details of the one under the cursor. */
export function ScrapingErrorsView({ app, list, width, height }: ScrapingErrorsProps) {
  const { shown, index } = useStore(list.store);
  const { now } = useStore(app.store);
  const error = shown[index];
  const details = error === undefined ? [] : describe(error, width);
  const detailRows = Math.min(details.length, Math.floor(height / 2));
  return (
    <Box flexDirection="column">
      <Table
        list={list}
        columns={scrapingErrorTableColumns(now)}
        keyOf={({ id }) => id}
        width={width}
        height={height - detailRows}
        empty={['No scraping errors.']}
      />
      <Lines lines={details} height={detailRows} />
    </Box>
  );
}

function scrapingErrorTableColumns(now: number): readonly TableColumn<ScrapingErrorRow>[] {
  return [
    ageColumn(({ occurredAt }) => occurredAt, now, { heading: 'age', width: 4 }),
    { heading: 'error', value: statusOrCode, width: 15, paint: () => theme.bad },
    { heading: 'source', value: ({ source }) => source, width: 18, dropAs: 2 },
    { heading: 'message', value: ({ message }) => message, width: 'rest' },
    { heading: 'page', value: ({ url }) => url, width: 'rest', dropAs: 3, paint: () => theme.quiet },
    {
      heading: 'issue',
      value: ({ issues }) => issues.map(({ issue_id }) => `#${issue_id}`).join(' '),
      width: 7,
      dropAs: 1,
      paint: () => theme.accent,
    },
  ];
}

/** Returns the code of an error with its HTTP status: `HTTP_ERROR 503`. */
export function statusOrCode({ code, httpStatus }: Pick<ScrapingErrorRow, 'code' | 'httpStatus'>): string {
  return httpStatus === null ? code : `${code} ${httpStatus}`;
}

function describe(error: ScrapingErrorRow, width: number): string[] {
  const { id, source, runId, url, message, occurredAt, issues } = error;
  const facts = [
    ['When', `${dateTime(occurredAt)} UTC`],
    ['Where', `${source}, run ${runId}`],
    ['Page', url],
    ['What', statusOrCode(error)],
  ] as const;
  return [
    titleRule(`Scraping error ${id}`, width),
    ...facts.map(([name, text]) => `  ${theme.quiet(name.padEnd(6))} ${cut(printable(text), width - 10)}`),
    ...wrap(message, width - 11).map((line) => `         ${line}`),
    ...issues.map(({ issue_id, issue_title, issue_status }) =>
      theme
        .accent(cut(`  → #${issue_id} ${printable(issue_title)}`, width - 16))
        .concat(`  ${statusPaint(issue_status)(issue_status)}`),
    ),
  ];
}
