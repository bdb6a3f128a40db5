/** The most words that a sentence lists. */
const maxListed = 6;

/** A known word for a text, or the text itself and what is wrong with it. */
export interface MatchingWord {
  readonly word: string;
  readonly problem?: string;
}

/** Returns the only word that starts with the text, in any case and without its spaces. */
export function matchingWord(field: string, text: string, names: readonly string[]): MatchingWord {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');
  const exact = names.find((name) => name === text) ?? names.find((name) => plain(name) === plain(text));
  if (exact !== undefined) return { word: exact };
  const found = names.filter((name) => plain(name).startsWith(plain(text)));
  if (found.length === 1 && found[0] !== undefined) return { word: found[0] };
  if (found.length > 1)
    return { word: text, problem: `${field}:${text} can be ${listed(found)}. Type more of it.` };
  const advice = names.length === 0 ? '' : ` Use ${listed(names)}.`;
  return { word: text, problem: `No ${field} “${text}”.${advice}` };
}

/** Lists words as a sentence does: `Low, Medium or High`. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed);
  if (names.length > maxListed) return `${shown.join(', ')} …`;
  const last = shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} or ${last}`;
}
