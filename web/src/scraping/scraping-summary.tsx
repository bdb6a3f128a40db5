import { CsvButton } from '../parts/files/csv-button.tsx';
import { type Grouping, ScrapingChart } from './scraping-chart.tsx';
import styles from './scraping-page.module.css';
import type { Scraping, ScrapingDay } from './scraping-queries.ts';
import { ScrapingSources } from './scraping-sources.tsx';
import { ScrapingTiles } from './scraping-tiles.tsx';

interface ScrapingSummaryProps {
  /** Undefined while it is loaded. */
  readonly scraping: Scraping | undefined;
  readonly days: readonly ScrapingDay[];
  /** Whether another month takes its place in a moment. */
  readonly isStale: boolean;
  readonly by: Grouping;
  readonly onBy: (by: Grouping) => void;
}

/** The runs of a month in figures. */
export function ScrapingSummary({ scraping, days, isStale, by, onBy }: ScrapingSummaryProps) {
  return (
    <div className={styles.content} data-stale={isStale || undefined} aria-busy={isStale}>
      <ScrapingTiles scraping={scraping} />
      <ScrapingChart scraping={scraping} days={days} by={by} onBy={onBy} />
      {scraping?.runs !== 0 && (
        <section className={styles.section} aria-labelledby="sources">
          <div className={styles.head}>
            <h2 id="sources" className={styles.heading}>
              Sources
            </h2>
            <CsvButton
              label="Sources"
              file={`sources-${scraping?.month}`}
              lines={scraping && (() => sourceLines(scraping.bySource))}
            />
          </div>
          <ScrapingSources sources={scraping?.bySource} />
        </section>
      )}
    </div>
  );
}

const titles = [
  'Source',
  'Success rate',
  'Runs',
  'Succeeded',
  'Failed',
  'Cancelled',
  'Items',
  'Average ms',
  'Last run',
];

function sourceLines(sources: Scraping['bySource']) {
  return [
    titles,
    ...sources.map((each) => [
      each.source,
      each.successRate ?? '',
      each.runs,
      each.succeededRuns,
      each.failedRuns,
      each.cancelledRuns,
      each.itemsScraped,
      each.avgDurationMs ?? '',
      each.lastRunAt ?? '',
    ]),
  ];
}
