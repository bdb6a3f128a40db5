import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { ChartCard } from '../chart/chart-card.tsx';
import { type ChartData, dayNames, stackByDay } from '../chart/chart-data.ts';
import { StackedBars } from '../chart/stacked-bars.tsx';
import { agoColumn, withUnit } from '../kit/columns.tsx';
import { useGo } from '../kit/go.ts';
import { useRows } from '../kit/list.ts';
import { computed } from '../kit/resource.ts';
import { Table } from '../kit/table.tsx';
import { Choice } from '../parts/choice.tsx';
import { Moment, RelativeTime } from '../parts/moment.tsx';
import { formatMonth } from '../parts/months.tsx';
import { ConnectLink, Failure } from '../parts/note.tsx';
import { PageContent, Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { Tile, Tiles } from '../parts/tiles.tsx';
import { capital, counted, formatCount, formatDuration, formatPercent } from '../parts/words.ts';
import { type Scraping, type ScrapingDay, scrapingQuery } from './scraping-queries.ts';

const route = getRouteApi('/signed-in/scraping');

/** The runs of a month in figures. */
export function ScrapingSummary() {
  const { month, by = 'result' } = route.useSearch();
  const query = useQuery(scrapingQuery(month));
  const { data, error, isPlaceholderData, refetch } = query;
  const scraping = data?.scraping;
  const rows = useMemo(() => scraping?.bySource.map((each) => ({ ...each, id: each.source })), [scraping]);
  const list = useRows(sources, rows, query);
  const go = useGo();
  if (error && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <PageContent className={sheet.stack} isStale={isPlaceholderData}>
      <Tiles>
        {tiles.map(([name, figureOf, noteOf]) => (
          <Tile key={name} name={name} figure={scraping && figureOf(scraping)} lines={2}>
            {scraping && noteOf(scraping)}
          </Tile>
        ))}
      </Tiles>
      <ChartCard
        title="Runs by day"
        note={
          scraping && `${formatMonth(scraping.month)}, by the start of the run, days of ${scraping.timezone}`
        }
        controls={
          <Choice
            label="Bars"
            words={{ result: 'Results', source: 'Sources' }}
            chosen={by}
            onChoose={(next) => go({ by: next === 'result' ? undefined : next }, true)}
          />
        }
        data={data && (by === 'result' ? resultChart(data.days) : sourceChart(data.scraping, data.days))}
        empty={
          <>
            No runs in this month. <ConnectLink />
          </>
        }
        file={`runs-by-day-${scraping?.month}`}
      >
        {(chart) => <StackedBars label={`Runs by day and by ${by}`} data={chart} />}
      </ChartCard>
      {scraping?.runs !== 0 && (
        <Section isPlain title="Sources">
          <Table
            isInline
            list={list}
            href={({ source }) => ({ view: 'runs', source })}
            empty={{ title: 'No runs in this month' }}
          />
        </Section>
      )}
    </PageContent>
  );
}

/** A figure that does not exist is no zero. */
const none = '—';
const percentOf = (share: number | null) => (share === null ? none : formatPercent(share));
const durationOf = (ms: number | null) => (ms === null ? none : formatDuration(ms));

const runningIn = ({ runs, succeededRuns, failedRuns, cancelledRuns }: Scraping | ScrapingDay) =>
  runs - succeededRuns - failedRuns - cancelledRuns;

type Told = (month: Scraping) => ReactNode;

/** The tiles of a month: a figure, and what it consists of. */
const tiles: readonly (readonly [name: string, figure: Told, note: Told])[] = [
  [
    'Success rate',
    ({ successRate }) => percentOf(successRate),
    ({ successRate, succeededRuns, failedRuns }) =>
      successRate === null
        ? 'No run has succeeded or failed yet'
        : `${formatCount(succeededRuns)} succeeded, ${formatCount(failedRuns)} failed`,
  ],
  [
    'Runs',
    ({ runs }) => formatCount(runs),
    (month) => `${formatCount(month.cancelledRuns)} cancelled, ${formatCount(runningIn(month))} running`,
  ],
  [
    'Average duration',
    ({ avgDurationMs }) => durationOf(avgDurationMs),
    ({ avgDurationMs }) => avgDurationMs !== null && 'Of the runs that have ended',
  ],
  [
    'Items',
    ({ itemsScraped }) => formatCount(itemsScraped),
    ({ pagesSucceeded, pagesFailed, pagesBlocked }) =>
      `${counted(pagesSucceeded, 'page')}, ${formatCount(pagesFailed)} failed, ${formatCount(pagesBlocked)} blocked`,
  ],
  [
    'Last run',
    ({ lastRunAt }) => (lastRunAt === null ? none : <Moment at={lastRunAt} form="short" />),
    ({ lastRunAt }) => lastRunAt !== null && <RelativeTime at={lastRunAt} />,
  ],
];

type Source = Scraping['bySource'][number] & { readonly id: string };

const sources = computed<Source>('source', 'sources', [
  { field: 'source', title: 'Source', phone: 'title' },
  {
    field: 'successRate',
    title: 'Success rate',
    phone: 'start',
    isNumber: true,
    width: '112px',
    cell: ({ successRate }) => withUnit(percentOf(successRate), successRate === null ? '' : ' succeeded'),
  },
  { field: 'runs', title: 'Runs', isNumber: true },
  { field: 'failedRuns', title: 'Failed', isNumber: true },
  { field: 'itemsScraped', title: 'Items', from: 'medium', isNumber: true },
  {
    field: 'avgDurationMs',
    title: 'Average duration',
    from: 'medium',
    isNumber: true,
    width: '136px',
    cell: ({ avgDurationMs }) => durationOf(avgDurationMs),
  },
  agoColumn({ field: 'lastRunAt', title: 'Last run', phone: 'end', isNumber: true }),
]);

const results = [
  ['succeeded', 'var(--status-resolved)', ({ succeededRuns }: ScrapingDay) => succeededRuns],
  ['failed', 'var(--severity-critical)', ({ failedRuns }: ScrapingDay) => failedRuns],
  ['cancelled', 'var(--status-closed)', ({ cancelledRuns }: ScrapingDay) => cancelledRuns],
  ['running', 'var(--status-open)', runningIn],
] as const;

function resultChart(days: readonly ScrapingDay[]): ChartData {
  const shown = results.filter(([, , countOf]) => days.some((day) => countOf(day) > 0));
  return {
    rowName: 'Day',
    series: shown.map(([word, colour]) => ({ name: capital(word), colour })),
    rows: days.map((day) => ({ ...dayNames(day.date), values: shown.map(([, , countOf]) => countOf(day)) })),
  };
}

function sourceChart({ bySource }: Scraping, days: readonly ScrapingDay[]): ChartData {
  return stackByDay({
    days,
    names: bySource.toSorted((a, b) => b.runs - a.runs).map(({ source }) => source),
    others: 'Other sources',
    amountsOf: (day) => day.bySource.map(({ source, runs }) => [source, runs]),
  });
}
