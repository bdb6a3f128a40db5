/** A day, with a time of day or without, in a zone or in UTC. */
const isoForm = /^(?<day>\d{4}-\d\d-\d\d)(?<clock>T\d\d:\d\d(:\d\d(\.\d+)?)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The instant of an ISO 8601 text, in UTC and to the millisecond; undefined where it is none that Postgres takes. In a
 * file of its own, because the command line asks for it before it has loaded any schema.
 */
export function toInstant(text: string): string | undefined {
  const { day = '', clock, zone } = isoForm.exec(text)?.groups ?? {};
  // By itself, Date takes 31 February for a day of March, and a time without a zone for one of this machine's.
  if (!isDay(day)) return undefined;
  const instant = new Date(clock !== undefined && zone === undefined ? `${text}Z` : text);
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant.toISOString() : undefined;
}

function isDay(day: string): boolean {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
