/** A bash command line up to the cursor, split into its parts. */
export interface BashLine {
  /** The complete words, without quotes. The first is the program. */
  readonly words: readonly string[];
  /** The part of the word under the cursor that is typed already, without quotes. */
  readonly current: string;
  /** The part of `current` that stays. Bash replaces the rest. */
  readonly kept: string;
  /** The quote that is still open, if any. */
  readonly quote: Quote;
}

type Quote = '"' | "'" | '';

/**
 * Splits a line into words as bash does, without expanding anything. The words that bash itself passes to a completion
 * still have their quotes and are cut at each of `breaks`, so that `grace@example.com` is three words.
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
      // In double quotes a backslash is literal unless one of these follows.
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
      // Bash replaces the text after the break. These two breaks are part of that text.
      if (quote === '' && breaks.includes(character)) beforeBreak = '@$'.includes(character) ? before : word;
    }
  }
  const kept = quote === '' ? beforeBreak : beforeQuote;
  return { words, current: word ?? '', kept, quote };
}

/** Returns the text with which bash must replace the rest of the current word, so that the word becomes `value`. */
export function replacementFor(value: string, { kept, quote }: BashLine): string {
  const rest = value.slice(kept.length);
  if (quote === "'") return rest.replaceAll("'", "'\\''");
  if (quote === '"') return rest.replaceAll(/["\\$`]/g, '\\$&');
  return rest.replaceAll(/[^\p{L}\p{N}\p{M}_@%+=:,./-]/gu, '\\$&');
}
