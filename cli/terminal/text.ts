export { printable } from '../../src/shared/text.ts';

/** Returns a text with its first letter in upper case, as at the start of a sentence. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Returns JSON in lines, as people read it; any other text as it is. */
export function inLines(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
