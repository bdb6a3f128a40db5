import type { Random } from './random.ts';

/** The words that may replace a placeholder such as `{browser}`. */
export type Words = Readonly<Record<string, readonly string[]>>;

/**
 * Returns a function that replaces the placeholders of texts, each placeholder always by the same word.
 *
 * @param known - words that are already chosen
 */
export function createFiller(
  random: Random,
  words: Words,
  known: Readonly<Record<string, string>> = {},
): (text: string) => string {
  const chosen: Record<string, string> = { ...known };
  return (text) =>
    text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
      chosen[name] ??= random.pick(words[name] ?? [placeholder]);
      return chosen[name];
    });
}

/** Capitalizes the first letter, which may come from a placeholder. */
export function startUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
