import type { Random } from './random.ts';

/** What may stand in a place such as `{browser}` of a text. */
export type Words = Readonly<Record<string, readonly string[]>>;

/**
 * Makes a function that fills the places of texts, the same place always with the same word.
 *
 * @param known - words that are settled already
 */
export function createFiller(
  random: Random,
  words: Words,
  known: Readonly<Record<string, string>> = {},
): (text: string) => string {
  const chosen: Record<string, string> = { ...known };
  return (text) =>
    text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
      chosen[name] ??= random.pick(words[name] ?? [place]);
      return chosen[name];
    });
}

/** A text with a capital at its start, which may have come from a place. */
export function startUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
