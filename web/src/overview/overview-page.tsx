import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { issueTrendQuery } from '../issues/issue-chart-queries.ts';
import { daysToAsk, trendChart, trendNote } from '../issues/issue-trend-queries.ts';
import { ChartCard } from '../parts/chart/chart-card.tsx';
import { barsHeight, StackedBars } from '../parts/chart/stacked-bars.tsx';
import { Page, PageContent } from '../parts/page/page.tsx';
import { LatestActivity } from './activity.tsx';
import { ConnectButton } from './connect-button.tsx';
import styles from './overview-page.module.css';
import { OverviewTiles } from './overview-tiles.tsx';
import { RemoveExamples } from './remove-examples.tsx';

const days = 30;

/** What one wants to know first: what waits for somebody, how it goes, and what happened. */
export function OverviewPage() {
  return (
    <Page
      title="Overview"
      action={
        <>
          <ConnectButton />
          <RemoveExamples />
        </>
      }
    >
      <PageContent className={styles.content}>
        <OverviewTiles />
        <div className={styles.columns}>
          <Trend />
          <LatestActivity />
        </div>
      </PageContent>
    </Page>
  );
}

function Trend() {
  const { data, error, refetch } = useQuery(issueTrendQuery(daysToAsk(days)));
  return (
    <ChartCard
      title={`Issues, ${days} days`}
      note={data && trendNote(data, days)}
      controls={
        <Link to="/charts" className={styles.link}>
          All charts
        </Link>
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
