const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** Formats the exact moment of a time in the browser's zone, with its day and its seconds. */
export function exactTime(at: string): string {
  return format.format(new Date(at));
}
