import stringWidth from 'string-width';
import type { Candidate } from '../verb/parameters.ts';
import { readBashLine, replacementFor } from './bash-line.ts';

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
  const width = Math.max(0, ...candidates.map(({ value }) => stringWidth(value)));
  return candidates.map(({ value, description = '' }) => {
    const padding = ' '.repeat(width - stringWidth(value));
    return `${value}\t${description === '' ? value : `${value}${padding}  -- ${description}`}`;
  });
}

/** Writes each value and its description. The script of fish filters and quotes them. */
function fishLines(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ value, description = '' }) => `${value}\t${description}`);
}
