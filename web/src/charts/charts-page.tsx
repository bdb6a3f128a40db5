import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { trendLengths } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { BarList } from '../chart/bar-list.tsx';
import { ChartCard } from '../chart/chart-card.tsx';
import type { ChartData, ChartRow } from '../chart/chart-data.ts';
import { Choice } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { counted } from '../parts/numbers.ts';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { Trend } from './trend.tsx';

const route = getRouteApi('/signed-in/charts');

type Statistics = Exclude<OutputOf<'issues.list'>, { issues: unknown }>;

/** The counts of all issues, which change with them as the trend does. */
const statisticsQuery = queryOptions({
  queryKey: ['issues', 'charts', 'statistics'],
  queryFn: async ({ signal }) => (await client.call('issues.list', { period: 'all' }, signal)) as Statistics,
});

/** Shows how many issues there are: over time, and by what they are. */
export function ChartsPage() {
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(statisticsQuery);
  return (
    <Page title="Charts">
      <PageContent className={sheet.stack}>
        <Trend
          title="Reported issues"
          days={Number(days)}
          controls={
            <Choice
              label="Length of the trend"
              words={trendLengths}
              chosen={days}
              onChoose={(chosen) => void navigate({ search: { days: chosen }, replace: true })}
            />
          }
        />
        {/* Four times that there are no issues would be three too many. */}
        {data?.totalIssues !== 0 && (
          <div className={sheet.columns}>
            <Totals title="By severity" file="issues-by-severity" chart={severityChart} />
            <Totals title="By status" file="issues-by-status" chart={statusChart} />
            <Totals title="By category" file="issues-by-category" chart={categoryChart} />
          </div>
        )}
      </PageContent>
    </Page>
  );
}

interface TotalsProps {
  readonly title: string;
  readonly file: string;
  readonly chart: (statistics: Statistics) => ChartData;
}

/** Counts all issues, whatever their age. */
function Totals({ title, file, chart }: TotalsProps) {
  const { data, error, refetch } = useQuery(statisticsQuery);
  return (
    <ChartCard
      title={title}
      note={data && `${counted(data.totalIssues, 'issue')} in total`}
      data={data && chart(data)}
      failure={error && <Failure error={error} retry={() => void refetch()} />}
      empty="There are no issues."
      file={file}
    >
      {(shown) => <BarList label={title} data={shown} />}
    </ChartCard>
  );
}

/** Counts the issues by severity, the worst first. Below the usual words are the other ones, the most frequent first. */
function severityChart({ severityTotals }: Statistics): ChartData {
  const countOf = (name: string) => severityTotals.find(({ severity }) => severity === name)?.count ?? 0;
  const others = severityTotals
    .filter(({ severity }) => !(severities as readonly string[]).includes(severity))
    .sort((one, other) => other.count - one.count);
  return chartOf('Severity', [
    ...severities.map((name) =>
      rowOf('severity', name, countOf(name), `var(--severity-${name.toLowerCase()})`),
    ),
    ...others.map(({ severity, count }) => {
      const row = rowOf('severity', severity, count, 'var(--series-4)');
      // A comma in a link separates severities.
      return { ...row, title: `Other: ${severity}`, link: severity.includes(',') ? undefined : row.link };
    }),
  ]);
}

const statusColours: Readonly<Record<(typeof issueStatuses)[number], string>> = {
  Open: 'var(--status-open)',
  'In Progress': 'var(--status-progress)',
  Resolved: 'var(--status-resolved)',
  Closed: 'var(--status-closed)',
};

function statusChart({ statusCounts }: Statistics): ChartData {
  const countOf = (name: string) => statusCounts.find(({ status }) => status === name)?.count ?? 0;
  return chartOf(
    'Status',
    issueStatuses.map((name) => rowOf('status', name, countOf(name), statusColours[name])),
  );
}

/** Counts the issues by category, the most first. */
function categoryChart({ categoryCounts }: Statistics): ChartData {
  const sorted = categoryCounts.toSorted((one, other) => other.count - one.count);
  return chartOf(
    'Category',
    sorted.map(({ category, count }) => rowOf('category', category, count, 'var(--series-1)')),
  );
}

function chartOf(rowName: string, rows: readonly ChartRow[]): ChartData {
  return { rowName, series: [{ name: 'Issues', colour: 'var(--series-1)' }], rows };
}

function rowOf(field: string, name: string, count: number, colour: string): ChartRow {
  const link = { to: '/issues', search: { [field]: name } } as const;
  return { id: name, name, title: name, values: [count], colour, link };
}
