import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { agePeriods } from '../../../src/contract/issue-ages.ts';
import {
  type IssueStatistics,
  issueStatisticsQuery,
  issueTrendQuery,
} from '../issues/issue-chart-queries.ts';
import { daysToAsk, trendChart, trendNote } from '../issues/issue-trend-queries.ts';
import { BarList } from '../parts/chart/bar-list.tsx';
import { ChartCard } from '../parts/chart/chart-card.tsx';
import type { ChartData } from '../parts/chart/chart-data.ts';
import { barsHeight, StackedBars } from '../parts/chart/stacked-bars.tsx';
import { Choice } from '../parts/inputs/choice.tsx';
import { counted } from '../parts/numbers.ts';
import { Page, PageContent } from '../parts/page/page.tsx';
import { ageChart } from './age-chart.ts';
import { trendLengths } from './chart-search.ts';
import styles from './charts-page.module.css';
import { categoryChart, severityChart, statusChart } from './total-charts.ts';

const route = getRouteApi('/signed-in/charts');
/** Six rows, and a line that there are more. */
const listHeight = 280;

/** Shows how many issues there are: over time, by age, and by what they are. */
export function ChartsPage() {
  return (
    <Page title="Charts">
      <PageContent className={styles.content}>
        <Trend />
        <Ages />
        <Totals title="By severity" file="issues-by-severity" chart={severityChart} />
        <Totals title="By status" file="issues-by-status" chart={statusChart} />
        <Totals title="By category" file="issues-by-category" chart={categoryChart} />
      </PageContent>
    </Page>
  );
}

function Trend() {
  const { days: length = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const days = Number(length);
  const { data, error, refetch } = useQuery(issueTrendQuery(daysToAsk(days)));
  return (
    <ChartCard
      title="Reported issues"
      note={data && trendNote(data, days)}
      controls={
        <Choice
          label="Length of the trend"
          words={trendLengths}
          chosen={length}
          onChoose={(chosen) =>
            void navigate({ search: (before) => ({ ...before, days: chosen }), replace: true })
          }
        />
      }
      data={data && trendChart(data, days)}
      error={error}
      retry={() => void refetch()}
      empty={`Nobody reported an issue in these ${days} days.`}
      height={barsHeight}
      file="issues-by-day"
    >
      {(chart) => <StackedBars label="Issues by the day of their report and by severity" data={chart} />}
    </ChartCard>
  );
}

function Ages() {
  const { period = 'daily' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, dataUpdatedAt, error, refetch } = useQuery(issueStatisticsQuery(period));
  return (
    <ChartCard
      title="Age of the issues"
      note="Each issue counts once, and the ages differ in length."
      controls={
        <Choice
          label="Period of the ages"
          words={agePeriods}
          chosen={period}
          onChoose={(chosen) =>
            void navigate({ search: (before) => ({ ...before, period: chosen }), replace: true })
          }
        />
      }
      data={data && ageChart(data, period, dataUpdatedAt)}
      error={error}
      retry={() => void refetch()}
      empty="Nobody reported an issue in this period."
      height={barsHeight}
      file="issues-by-age"
    >
      {(chart) => <StackedBars label="Issues by their age and by severity" data={chart} />}
    </ChartCard>
  );
}

interface TotalsProps {
  readonly title: string;
  readonly file: string;
  readonly chart: (statistics: IssueStatistics) => ChartData;
}

/** Counts all issues, whatever their age. */
function Totals({ title, file, chart }: TotalsProps) {
  const { data, error, refetch } = useQuery(issueStatisticsQuery('all'));
  return (
    <ChartCard
      title={title}
      note={data && `${counted(data.totalIssues, 'issue')} of all time`}
      data={data && chart(data)}
      error={error}
      retry={() => void refetch()}
      empty="There are no issues."
      height={listHeight}
      file={file}
    >
      {(shown) => <BarList label={title} data={shown} />}
    </ChartCard>
  );
}
