const format = new Intl.DateTimeFormat(undefined, { weekday: 'long', month: 'long', day: 'numeric' });
const formatWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });

/** Returns the day of a moment in the browser's zone, such as `Sunday, November 22`, with the year if it is another one. */
export function dayOf(at: string): string {
  const date = new Date(at);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return 'Today';
  return (date.getFullYear() === now.getFullYear() ? format : formatWithYear).format(date);
}
