/** Texts of a few frames. */
const maxTexts = 1_000;

/**
 * Returns a function that gives the same answers, and remembers the last ones.
 *
 * @template Answer
 * @param {(text: string) => Answer} find
 * @returns {(text: string) => Answer}
 */
export function remember(find) {
  /** @type {Map<string, Answer>} */
  const known = new Map();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxTexts) known.clear();
    const answer = find(text);
    known.set(text, answer);
    return answer;
  };
}
