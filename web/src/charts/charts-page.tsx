import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, severities } from '../../../src/contract/vocabulary.ts';
import { trendLengths } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { BarList } from '../chart/bar-list.tsx';
import { ChartCard } from '../chart/chart-card.tsx';
import type { ChartRow } from '../chart/chart-data.ts';
import { Choice } from '../parts/choice.tsx';
import { Failure } from '../parts/note.tsx';
import { Page, PageContent } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { capital, counted } from '../parts/words.ts';
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
            <Totals by="severity" rowsOf={severityRows} />
            <Totals by="status" rowsOf={statusRows} />
            <Totals by="category" rowsOf={categoryRows} />
          </div>
        )}
      </PageContent>
    </Page>
  );
}

interface TotalsProps {
  /** The field of the issues, which is a filter of their list too. */
  readonly by: 'severity' | 'status' | 'category';
  readonly rowsOf: (statistics: Statistics) => readonly ChartRow[];
}

/** Counts all issues, whatever their age. */
function Totals({ by, rowsOf }: TotalsProps) {
  const { data, error, refetch } = useQuery(statisticsQuery);
  const title = `By ${by}`;
  const series = [{ name: 'Issues', colour: 'var(--series-1)' }];
  return (
    <ChartCard
      title={title}
      note={data && `${counted(data.totalIssues, 'issue')} in total`}
      data={data && { rowName: capital(by), series, rows: rowsOf(data) }}
      failure={error && <Failure error={error} retry={() => void refetch()} />}
      empty="There are no issues."
      file={`issues-by-${by}`}
    >
      {(shown) => <BarList label={title} data={shown} />}
    </ChartCard>
  );
}

/** Counts the issues by severity, the worst first. Below the usual words are the other ones, the most frequent first. */
function severityRows({ severityTotals }: Statistics): readonly ChartRow[] {
  const countOf = (name: string) => severityTotals.find(({ severity }) => severity === name)?.count;
  const others = severityTotals
    .filter(({ severity }) => !(severities as readonly string[]).includes(severity))
    .sort((one, other) => other.count - one.count);
  return [
    ...severities.map((name) =>
      rowOf('severity', name, countOf(name), `var(--severity-${name.toLowerCase()})`),
    ),
    ...others.map(({ severity, count }) => {
      const row = rowOf('severity', severity, count, 'var(--series-4)');
      // A comma in a link separates severities.
      return { ...row, title: `Other: ${severity}`, link: severity.includes(',') ? undefined : row.link };
    }),
  ];
}

const statusColours: Readonly<Record<(typeof issueStatuses)[number], string>> = {
  Open: 'var(--status-open)',
  'In Progress': 'var(--status-progress)',
  Resolved: 'var(--status-resolved)',
  Closed: 'var(--status-closed)',
};

function statusRows({ statusCounts }: Statistics): readonly ChartRow[] {
  const countOf = (name: string) => statusCounts.find(({ status }) => status === name)?.count;
  return issueStatuses.map((name) => rowOf('status', name, countOf(name), statusColours[name]));
}

/** Counts the issues by category, the most first. */
const categoryRows = ({ categoryCounts }: Statistics): readonly ChartRow[] =>
  categoryCounts
    .toSorted((one, other) => other.count - one.count)
    .map(({ category, count }) => rowOf('category', category, count));

function rowOf(field: TotalsProps['by'], name: string, count = 0, colour = 'var(--series-1)'): ChartRow {
  const link = { to: '/issues', search: { [field]: name } } as const;
  return { id: name, name, title: name, values: [count], colour, link };
}
