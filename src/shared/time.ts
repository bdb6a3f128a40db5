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

/**
 * Reports whether the name is a zone of the IANA database. Postgres also accepts names such as `FOO3`, and reads
 * `+01:00` as west of Greenwich.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Adds up the time of work that runs one at a time. */
export class Stopwatch {
  #totalMs = 0;
  #startedAt: number | undefined;

  /** The time so far, with that of the work that runs now. */
  get ms(): number {
    return this.#totalMs + (this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt);
  }

  /** Runs work and counts its time. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    this.#startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#totalMs = this.ms;
      this.#startedAt = undefined;
    }
  }
}
