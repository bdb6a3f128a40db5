/** The parts of a page's address after `?`, before they are checked. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** Reads a query string as plain texts, `?q=42` and not JSON. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes a query string, without what is empty. */
export function stringifySearch(search: RawSearch): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Returns a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a value if it is one of some words. */
export function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

/** Returns the words of a list such as `Open,Closed` that exist. */
export function wordsOf<Word extends string>(words: readonly Word[], value: unknown): string | undefined {
  const asked = String(value ?? '').split(',');
  const found = words.filter((word) => asked.includes(word));
  return found.length === 0 ? undefined : found.join(',');
}

/** Returns the positive whole number that a text or a number is. */
export function numberOf(value: unknown): number | undefined {
  return /^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : undefined;
}

/** Returns a function that reads one of some words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]) =>
  (value: unknown) =>
    wordOf(words, value);

/** What is after `?` as a table of readers has it. */
type SearchOf<Readers extends Record<string, (value: unknown) => unknown>> = {
  readonly [Name in keyof Readers]?: ReturnType<Readers[Name]>;
};

/** Returns a function that reads an address by a table, and ignores what the table does not know. */
export function searchReader<Readers extends Record<string, (value: unknown) => unknown>>(readers: Readers) {
  return (search: RawSearch) =>
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [name, read(search[name])]),
    ) as SearchOf<Readers>;
}
