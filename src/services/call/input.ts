import { BackofficeError, invalid, invalidField } from '../../contract/errors.ts';
import { isRecord } from '../../shared/text.ts';

/** More than any request needs, and safe for recursive code. */
const maxDepth = 32;

export const tooDeep = invalid(`The request must not be nested deeper than ${maxDepth} levels.`);

/**
 * Returns a copy of a JSON value that is safe for every part of the service: strings are well-formed, without NUL
 * (Postgres' text cannot hold it), nested no deeper than 32. Keys like `__proto__` stay keys.
 *
 * @throws BackofficeError `invalid` with a sentence that names the field
 */
export function cleanInput(value: unknown, path = '', depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) throw new BackofficeError(tooDeep);
  if (Array.isArray(value)) {
    return value.map((item, index) => cleanInput(item, `${path}[${index}]`, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = cleanText(key, 'A key', path);
      return [name, cleanInput(item, path === '' ? name : `${path}.${name}`, depth + 1)];
    }),
  );
}

function cleanText(text: string, subject: string, param = subject): string {
  if (text.includes('\0')) {
    throw new BackofficeError(invalidField(param, `${subject} must not contain a NUL character.`));
  }
  return text.toWellFormed();
}

/** Returns the fields of an input. An input that is not an object has none, so it gets the error of a missing field. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return isRecord(input) ? input : {};
}
