import { InvalidArgumentError } from 'commander';
import type { OutputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { maybe, parsed, text } from '../verb/parameters.ts';

/** The month before the current one. */
const lastMonth = 'last';

/** Parses a month, or a word that `namedMonth` reads. */
export function parseMonth(text: string): string {
  const word = text.trim().toLowerCase();
  if (word === 'current' || word === lastMonth || /^\d{4}-(0[1-9]|1[0-2])$/.test(word)) return word;
  throw new InvalidArgumentError('Must be a month such as 2026-08, or last or current.');
}

/** Shows the analytics of another month. */
export const month = parsed('another month, such as 2026-08, or last', 'month', parseMonth);

/**
 * Reads the settings and a part of the analytics.
 *
 * @param month - as `--month` takes it; by default the current one. Months begin and end in the time zone of the
 *   installation
 */
export async function readAnalytics(
  access: Access,
  section: 'token-usage' | 'scraping',
  month: string | undefined,
): Promise<OutputOf<'settings.show'>> {
  const read = (wanted: string | undefined) => access.call('settings.show', { section, month: wanted });
  if (month !== lastMonth) return await read(month);
  const { tokenUsage, scraping } = await read(undefined);
  const current = (tokenUsage ?? scraping)?.month;
  return await read(current === undefined ? undefined : previousMonth(current));
}

/** Returns the month that `--month` names, for the address of a page. */
export async function namedMonth(
  access: Access,
  section: 'token-usage' | 'scraping',
  month: string,
): Promise<string> {
  if (/^\d/.test(month)) return month;
  const { tokenUsage, scraping } = await readAnalytics(access, section, month);
  return (tokenUsage ?? scraping)?.month ?? month;
}

/** Returns the month before one, `2025-12` for `2026-01`. */
export function previousMonth(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}

/** What a verb takes that sends the lines of a file. */
export const ingested = {
  file: maybe(text('a file of JSON lines, or - for standard input, which is the default', 'file', 'files')),
};
