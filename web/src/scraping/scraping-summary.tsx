import { CsvButton } from '../parts/files/csv-button.tsx';
import { PageContent } from '../parts/page/page.tsx';
import { Section } from '../parts/page/section.tsx';
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
    <PageContent className={styles.content} isStale={isStale}>
      <ScrapingTiles scraping={scraping} />
      <ScrapingChart scraping={scraping} days={days} by={by} onBy={onBy} />
      {scraping?.runs !== 0 && (
        <Section
          isPlain
          title="Sources"
          bar={
            <CsvButton
              label="Sources"
              file={`sources-${scraping?.month}`}
              lines={scraping && (() => sourceLines(scraping.bySource))}
            />
          }
        >
          <ScrapingSources sources={scraping?.bySource} />
        </Section>
      )}
    </PageContent>
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
