/** The command line of bash up to the cursor, in its parts. */
export interface BashLine {
  /** The words that are complete, without quotes; the first is the program. */
  readonly words: readonly string[];
  /** The word of the cursor as far as it is typed, without quotes. */
  readonly current: string;
  /** The part of `current` that stays: bash replaces what comes after it. */
  readonly kept: string;
  /** The quote that is still open. */
  readonly quote: Quote;
}

type Quote = '"' | "'" | '';

/**
 * Takes a line apart as bash does, without expanding anything. That is done here because bash hands a completion its
 * words with their quotes on, and cut at each of `breaks`: `grace@example.com` is three.
 *
 * @param breaks - COMP_WORDBREAKS
 */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let beforeBreak = '';
  let beforeQuote = '';
  let quote: Quote = '';

  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") {
      index += 1;
      const next = line.charAt(index);
      // Between double quotes a backslash stands for itself unless one of these follows.
      word = `${word ?? ''}${quote === '"' && !'"\\$`'.includes(next) ? '\\' : ''}${next}`;
    } else if (character === quote) {
      quote = '';
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
      beforeQuote = word;
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      beforeBreak = '';
    } else {
      const before = word ?? '';
      word = `${before}${character}`;
      // After a break the replaced part begins; these two are breaks that belong to it.
      if (quote === '' && breaks.includes(character)) beforeBreak = '@$'.includes(character) ? before : word;
    }
  }
  const kept = quote === '' ? beforeBreak : beforeQuote;
  return { words, current: word ?? '', kept, quote };
}

/** What bash is to put in place of the current word's rest, so that the word becomes `value`. */
export function replacementFor(value: string, { kept, quote }: BashLine): string {
  const rest = value.slice(kept.length);
  if (quote === "'") return rest.replaceAll("'", "'\\''");
  if (quote === '"') return rest.replaceAll(/["\\$`]/g, '\\$&');
  return rest.replaceAll(/[^\p{L}\p{N}\p{M}_@%+=:,./-]/gu, '\\$&');
}
