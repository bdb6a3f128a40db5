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
