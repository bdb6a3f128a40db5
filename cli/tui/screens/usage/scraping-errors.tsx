import { Box } from 'ink';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { cut, wrap } from '../../../output/cells.ts';
import { printable } from '../../../output/text.ts';
import type { App } from '../../app.ts';
import { ageColumn } from '../../components/age-column.ts';
import { titleRule } from '../../components/frame.tsx';
import { Lines } from '../../components/lines.tsx';
import { Table, type TableColumn } from '../../components/table.tsx';
import type { List } from '../../list/list.ts';
import type { Size } from '../../screen-types.ts';
import { useStore } from '../../store.ts';
import { moment } from '../../text/age.ts';
import { statusPaint, theme } from '../../theme.ts';

type ScrapingErrors = NonNullable<OutputOf<'settings.show'>['scrapingErrors']>;
type Link = OutputOf<'links.list'>['links'][number];

/** A scraping error with the issues that it is linked to. */
export type ScrapingError = ScrapingErrors[number] & { readonly issues: readonly Link[] };

/** Scraping errors as they are listed, each with its issues. */
export async function withIssues(app: App, errors: ScrapingErrors): Promise<ScrapingError[]> {
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
  readonly list: List<ScrapingError>;
}

/** The latest scraping errors, and below them all of the one under the cursor. */
export function ScrapingErrorsView({ app, list, width, height }: ScrapingErrorsProps) {
  const { shown, index } = useStore(list.store);
  const { now } = useStore(app.store);
  const error = shown[index];
  const details = error === undefined ? [] : describe(error, width);
  const below = Math.min(details.length, Math.floor(height / 2));
  return (
    <Box flexDirection="column">
      <Table
        list={list}
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        width={width}
        height={height - below}
        empty={['There are no scraping errors.']}
      />
      <Lines lines={details} height={below} />
    </Box>
  );
}

function columnsAt(now: number): readonly TableColumn<ScrapingError>[] {
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

/** `HTTP_ERROR 503`. */
export function statusOrCode({ code, httpStatus }: Pick<ScrapingError, 'code' | 'httpStatus'>): string {
  return httpStatus === null ? code : `${code} ${httpStatus}`;
}

function describe(error: ScrapingError, width: number): string[] {
  const { id, source, runId, url, message, occurredAt, issues } = error;
  const facts = [
    ['When', `${moment(occurredAt)} UTC`],
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
