import { pages } from '../../../../src/contract/pages.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import { dateTime } from '../../text/age.ts';
import { type ScrapingErrorRow, statusOrCode } from './scraping-errors.tsx';

/** Returns what can be copied of a scraping error. */
export function scrapingErrorSubject(error: ScrapingErrorRow | undefined): RowSubject | undefined {
  if (error === undefined) return undefined;
  const { id, url, source, runId, message, occurredAt } = error;
  const lines = [statusOrCode(error), url, `${source}, run ${runId}, ${dateTime(occurredAt)} UTC`, message];
  return {
    short: { text: url, name: 'the address' },
    whole: { read: () => lines.join('\n'), name: `scraping error ${id}` },
    page: pages.scraping.path,
  };
}
