import { BackofficeError, invalid } from '../../contract/errors.ts';

/** Deeper than any request needs, and shallow enough for every recursion that follows. */
const maximumDepth = 32;

/**
 * A copy of a JSON value that every part of the service can take: strings well-formed, no NUL (Postgres' text has
 * none), nested no deeper than 32. Keys like `__proto__` stay keys.
 *
 * @throws BackofficeError `invalid`, with a sentence that names the field
 */
export function cleanInput(value: unknown, path = '', depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maximumDepth) {
    throw new BackofficeError(invalid(`The request must not be nested deeper than ${maximumDepth} levels.`));
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => cleanInput(item, `${path}[${index}]`, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = cleanText(key, 'A key');
      return [name, cleanInput(item, path === '' ? name : `${path}.${name}`, depth + 1)];
    }),
  );
}

function cleanText(text: string, subject: string): string {
  if (text.includes('\0')) throw new BackofficeError(invalid(`${subject} must not contain a NUL character.`));
  return text.toWellFormed();
}

/** The fields of an input. One that is no object has none, so the contract's texts for missing fields answer it. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? (input as Readonly<Record<string, unknown>>)
    : {};
}
