/** A date with an optional time and an optional zone. */
const isoForm = /^(?<day>\d{4}-\d\d-\d\d)(?<clock>T\d\d:\d\d(:\d\d(\.\d+)?)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses an ISO 8601 text and returns the instant in UTC, to the millisecond. A text without a zone is UTC. Returns
 * undefined if the text is not a valid date or Postgres does not accept it.
 */
export function toInstant(text: string): string | undefined {
  const { day = '', clock, zone } = isoForm.exec(text)?.groups ?? {};
  // Date reads 31 February as a day in March, and a time without a zone as local time.
  if (!isDay(day)) return undefined;
  const instant = new Date(clock !== undefined && zone === undefined ? `${text}Z` : text);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant.toISOString() : undefined;
}

function isDay(day: string): boolean {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
