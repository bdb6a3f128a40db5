import leven from 'leven';

/** A longer word is no mistyped name, and comparing it would take long. */
const maxLength = 100;

/** Returns the word that a mistyped one most likely means, or undefined if none is near. Case does not count. */
function nearestOf<Word extends string>(given: string, words: readonly Word[]): Word | undefined {
  if (given.length > maxLength) return undefined;
  const typed = given.toLowerCase();
  const [nearest] = words
    .map((word) => ({ word, distance: leven(typed, word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(word.length, typed.length) / 2)
    .sort((one, other) => one.distance - other.distance);
  return nearest?.word;
}

/** Returns a question to add to an error, with a space before it, or the empty text if no word is near. */
export function didYouMean(given: string, words: readonly string[]): string {
  const nearest = nearestOf(given, words);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}
