/** The characters that searches ignore in every text: `search_letters` removes them (migrations/0001_functions.sql). */
const ignored =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is a character by itself, as in the migration
  /[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]/g;

/** Reports whether a search compares nothing, so that every row matches it: it is blank once accents are removed. */
export function isEmptySearch(words: string): boolean {
  return words.normalize('NFKD').replaceAll(ignored, '').trim() === '';
}
