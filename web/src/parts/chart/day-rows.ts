const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });

/** Returns the names of the bar of a day of a month, such as `2026-09-01`. */
export function dayNames(date: string): {
  readonly id: string;
  readonly name: string;
  readonly title: string;
} {
  const day = new Date(`${date}T00:00:00Z`);
  return { id: date, name: short.format(day), title: long.format(day) };
}
