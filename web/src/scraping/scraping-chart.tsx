import { ChartCard } from '../chart/chart-card.tsx';
import { type ChartData, dayNames, stackByDay } from '../chart/chart-data.ts';
import { StackedBars } from '../chart/stacked-bars.tsx';
import { ConnectLink } from '../parts/connect-link.tsx';
import { Choice } from '../parts/inputs/choice.tsx';
import { formatMonth } from '../parts/time/months.ts';
import { runStatusWords } from './run-status.tsx';
import type { Scraping, ScrapingDay } from './scraping-queries.ts';

/** What the bars of the chart consist of. */
export type Grouping = 'result' | 'source';

interface ScrapingChartProps {
  /** Undefined while they are loaded. */
  readonly scraping: Scraping | undefined;
  readonly days: readonly ScrapingDay[];
  readonly by: Grouping;
  readonly onBy: (by: Grouping) => void;
}

/** The runs of each day, by their results or by their sources. */
export function ScrapingChart({ scraping, days, by, onBy }: ScrapingChartProps) {
  return (
    <ChartCard
      title="Runs by day"
      note={
        scraping && `${formatMonth(scraping.month)}, by the start of the run, days of ${scraping.timezone}`
      }
      controls={
        <Choice label="Bars" words={{ result: 'Results', source: 'Sources' }} chosen={by} onChoose={onBy} />
      }
      data={scraping && (by === 'result' ? resultChart(days) : sourceChart(scraping, days))}
      empty={
        <>
          No runs in this month. <ConnectLink />
        </>
      }
      file={`runs-by-day-${scraping?.month}`}
    >
      {(chart) => <StackedBars label={`Runs by day and by ${by}`} data={chart} />}
    </ChartCard>
  );
}

const results = [
  [runStatusWords.succeeded, 'var(--status-resolved)', ({ succeededRuns }: ScrapingDay) => succeededRuns],
  [runStatusWords.failed, 'var(--severity-critical)', ({ failedRuns }: ScrapingDay) => failedRuns],
  [runStatusWords.cancelled, 'var(--status-closed)', ({ cancelledRuns }: ScrapingDay) => cancelledRuns],
  [
    runStatusWords.running,
    'var(--status-open)',
    ({ runs, succeededRuns, failedRuns, cancelledRuns }: ScrapingDay) =>
      runs - succeededRuns - failedRuns - cancelledRuns,
  ],
] as const;

function resultChart(days: readonly ScrapingDay[]): ChartData {
  const shown = results.filter(([, , countOf]) => days.some((day) => countOf(day) > 0));
  return {
    rowName: 'Day',
    series: shown.map(([name, colour]) => ({ name, colour })),
    rows: days.map((day) => ({
      ...dayNames(day.date),
      values: shown.map(([, , countOf]) => countOf(day)),
    })),
  };
}

function sourceChart({ bySource }: Scraping, days: readonly ScrapingDay[]): ChartData {
  return stackByDay({
    names: bySource.toSorted((a, b) => b.runs - a.runs).map(({ source }) => source),
    others: 'Other sources',
    days: days.map(({ date, bySource: ofDay }) => ({
      date,
      parts: ofDay.map(({ source, runs }) => ({ name: source, amount: runs })),
    })),
  });
}
