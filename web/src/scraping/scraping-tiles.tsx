import { counted, formatCount, formatPercent } from '../parts/numbers.ts';
import { Tile, Tiles } from '../parts/tiles.tsx';
import { formatDuration } from '../parts/time/durations.ts';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import type { Scraping } from './scraping-queries.ts';

/** The sums of a month; undefined while it is loaded. */
export function ScrapingTiles({ scraping }: { readonly scraping: Scraping | undefined }) {
  return (
    <Tiles>
      <Tile name="Success rate" figure={scraping && shareOr(scraping.successRate)}>
        {scraping &&
          `${formatCount(scraping.succeededRuns)} succeeded, ${formatCount(scraping.failedRuns)} failed`}
      </Tile>
      <Tile name="Runs" figure={scraping && formatCount(scraping.runs)}>
        {scraping && othersOf(scraping)}
      </Tile>
      <Tile name="Average duration" figure={scraping && durationOr(scraping.avgDurationMs)}>
        Of runs with a known end
      </Tile>
      <Tile name="Items" figure={scraping && formatCount(scraping.itemsScraped)}>
        {scraping && pagesOf(scraping)}
      </Tile>
      <Tile name="Last run" figure={scraping && lastRunOr(scraping.lastRunAt)}>
        Since it started
      </Tile>
    </Tiles>
  );
}

/** A figure that does not exist is no zero. */
const none = '—';
const shareOr = (share: number | null) => (share === null ? none : formatPercent(share));
const durationOr = (ms: number | null) => (ms === null ? none : formatDuration(ms));
const lastRunOr = (at: string | null) => (at === null ? none : <RelativeTime at={at} />);

function othersOf({ runs, succeededRuns, failedRuns, cancelledRuns }: Scraping): string {
  const running = runs - succeededRuns - failedRuns - cancelledRuns;
  return `${formatCount(cancelledRuns)} cancelled, ${formatCount(running)} running`;
}

function pagesOf({ pagesSucceeded, pagesFailed, pagesBlocked }: Scraping): string {
  return `${counted(pagesSucceeded, 'page')}, ${formatCount(pagesFailed)} failed, ${formatCount(pagesBlocked)} blocked`;
}
