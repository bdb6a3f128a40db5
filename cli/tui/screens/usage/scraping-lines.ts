import { ratedRuns } from '../../../../src/contract/figures.ts';
import type { OutputOf } from '../../../../src/contract/registry.ts';
import { counted, grouped, inSeconds, percent } from '../../../terminal/number.ts';
import { stillRunning } from '../../../terminal/running.ts';
import { bars } from '../../components/bars.ts';
import { connectHint } from '../../keys/key-hints.ts';
import { age } from '../../text/age.ts';
import { theme } from '../../theme.ts';
import { heading, label } from './headings.ts';

type ScrapingSummary = OutputOf<'settings.show'>['scraping'];

/** Returns the scraping of this month: in numbers, and by source. */
export function scrapingLines(scraping: ScrapingSummary, width: number, now: number): string[] {
  if (scraping === undefined) return [];
  const {
    month,
    timezone,
    runs,
    succeededRuns,
    failedRuns,
    cancelledRuns,
    successRate,
    avgDurationMs,
    lastRunAt,
  } = scraping;
  const { pagesSucceeded, pagesFailed, pagesBlocked, itemsScraped, bySource } = scraping;
  const rate =
    successRate === null ? [] : [`${percent(successRate)} of ${grouped(ratedRuns(scraping))} succeeded`];
  const duration = avgDurationMs === null ? [] : [`${inSeconds(avgDurationMs)} on average`];
  const sources = bySource.map((source) => ({
    label: source.source,
    count: source.runs,
    valueText: `${counted(source.runs, 'run')}, ${grouped(source.failedRuns)} failed`,
    paint: source.failedRuns > 0 ? theme.warning : theme.good,
  }));
  const lastRun = lastRunAt === null ? 'none' : `${age(lastRunAt, now)} ago`;
  return [
    heading(month, timezone),
    `    ${label('Runs')}${grouped(runs)}  ${theme.quiet([...rate, ...duration].join(', '))}`,
    `    ${label('')}${theme.good(`✓ ${grouped(succeededRuns)}`)}  ${theme.bad(`✗ ${grouped(failedRuns)}`)}  ${theme.quiet(`${grouped(cancelledRuns)} cancelled${stillRunning(scraping)}`)}`,
    `    ${label('Pages')}${grouped(pagesSucceeded)} read, ${grouped(pagesFailed)} failed, ${grouped(pagesBlocked)} blocked`,
    `    ${label('Items')}${grouped(itemsScraped)}`,
    `    ${label('Last run')}${lastRun}`,
    '',
    heading('By source'),
    ...(sources.length === 0
      ? ['No runs this month.', connectHint].map((line) => `    ${theme.quiet(line)}`)
      : bars(sources, width)),
  ];
}
