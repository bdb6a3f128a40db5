import { cellsOf, pad } from '../terminal/cells.ts';
import type { Candidate } from '../verb/parameters.ts';

/** A shell that has a completion script. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** A shell's question: the words before the cursor, the word under it, and how to write candidates for that shell. */
export interface Question {
  readonly words: readonly string[];
  readonly current: string;
  readonly write: (candidates: readonly Candidate[]) => readonly string[];
}

/** Parses what a shell's script passes on: bash passes its line and word breaks, the others pass words. */
export function readQuestion(shell: Shell, passed: readonly string[]): Question {
  if (shell === 'bash') return bashQuestion(passed);
  return {
    words: passed.slice(0, -1),
    current: passed.at(-1) ?? '',
    write: shell === 'zsh' ? zshLines : fishLines,
  };
}

/** Reads bash's question. Bash inserts candidates as they are, so it gets only those that match, quoted. */
function bashQuestion([text = '', breaks = '']: readonly string[]): Question {
  const line = readBashLine(text, breaks);
  return {
    words: line.words.slice(1),
    current: line.current,
    write: (candidates) =>
      candidates
        .filter(({ value }) => value.startsWith(line.current))
        .map(({ value }) => replacementFor(value, line)),
  };
}

/** Writes each value and its line in the list. Zsh filters and quotes them. */
function zshLines(candidates: readonly Candidate[]): string[] {
  const width = Math.max(0, ...candidates.map(({ value }) => cellsOf(value)));
  return candidates.map(
    ({ value, description = '' }) =>
      `${value}\t${description === '' ? value : `${pad(value, width)}  -- ${description}`}`,
  );
}

/** Writes each value and its description. The script of fish filters and quotes them. */
function fishLines(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ value, description = '' }) => `${value}\t${description}`);
}

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

// Each script runs the program under the name that was typed, so that `./bin/backoffice.js` completes like `backoffice`.
// The first line of the answer is its kind, `values` or `files`. The other lines are the values.

const bash = `# Completion of backoffice for bash 3.2 and newer.
_backoffice() {
  COMPREPLY=()
  local kind value
  {
    IFS= read -r kind
    # The registration below falls back to file names. Turn that off for everything but files.
    if [[ $kind != files ]]; then compopt +o default 2>/dev/null; fi
    while IFS= read -r value; do COMPREPLY+=("$value"); done
  } < <("\${COMP_WORDS[0]/#\\~/$HOME}" completion suggest bash -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o default -F _backoffice backoffice backoffice.js`;

const zsh = `#compdef backoffice backoffice.js
# Completion of backoffice for zsh.
_backoffice() {
  local kind value line
  local -a found listed
  {
    IFS= read -r kind
    while IFS=$'\\t' read -r value line; do found+=("$value") listed+=("$line"); done
  } < <("\${\${(Q)words[1]}/#\\~/$HOME}" completion suggest zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if [[ $kind == files ]]; then
    _files
  else
    compadd -l -V backoffice -d listed -a -- found
  fi
}
if [[ $funcstack[1] == _backoffice ]]; then
  _backoffice "$@"
else
  compdef _backoffice backoffice backoffice.js
fi`;

const fish = `# Completion of backoffice for fish.
function __backoffice_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    set -l answer ($program completion suggest fish -- $words "$current" 2>/dev/null)
    if test "$answer[1]" = files
        __fish_complete_path "$current"
        return
    end
    set -e answer[1]
    for line in $answer
        echo $line
    end
end
complete -c backoffice -c backoffice.js --no-files --keep-order --arguments '(__backoffice_complete)'`;

/** The completion script of each shell. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
