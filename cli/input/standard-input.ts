import { buffer } from 'node:stream/consumers';
import { UsageError } from '../errors.ts';

/** The inputs that were read to their end. */
const used = new WeakSet<object>();

/**
 * Reads standard input to its end, as UTF-8.
 *
 * @throws UsageError if it is something else: what was replaced in it could not be found later; or if it was read already
 */
export async function readStandardInput(): Promise<string> {
  const { stdin } = process;
  if (used.has(stdin)) throw new UsageError('Standard input can be read only once. Use - in one place.');
  used.add(stdin);
  return decodeUtf8(await buffer(stdin), 'Standard input');
}

/** Reads standard input to its end, without its last line break, which editors and `echo` add. */
export async function readInputText(): Promise<string> {
  return (await readStandardInput()).replace(/\r?\n$/, '');
}

/**
 * Returns bytes as text.
 *
 * @param source - the name of the input, to start an error with
 * @throws UsageError if they are not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(source);
  }
}

/** The error of an input that is not UTF-8. */
export function notUtf8(source: string): UsageError {
  return new UsageError(`${source} is not valid UTF-8. Convert it to UTF-8 first.`);
}
