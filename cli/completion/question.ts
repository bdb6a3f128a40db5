import stringWidth from 'string-width';
import { readBashLine, replacementFor } from './bash-line.ts';
import type { Candidate } from './candidate.ts';

/** A shell that completion is made for. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** What a shell asks: the words before the cursor's, that word, and how candidates are written for it. */
export interface Question {
  readonly words: readonly string[];
  readonly current: string;
  readonly write: (candidates: readonly Candidate[]) => readonly string[];
}

/** Reads what a shell's script passes on: bash its line and its breaks, the others their words. */
export function readQuestion(shell: Shell, passed: readonly string[]): Question {
  if (shell === 'bash') return bashQuestion(passed);
  return {
    words: passed.slice(0, -1),
    current: passed.at(-1) ?? '',
    write: shell === 'zsh' ? zshLines : fishLines,
  };
}

/** Bash inserts what it is given, so it gets what fits, with the quotes that belong there. */
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

/** Each value, and how it is listed. Zsh itself chooses what fits, and quotes. */
function zshLines(candidates: readonly Candidate[]): string[] {
  const width = Math.max(0, ...candidates.map(({ value }) => stringWidth(value)));
  return candidates.map(({ value, description = '' }) => {
    const padding = ' '.repeat(width - stringWidth(value));
    return `${value}\t${description === '' ? value : `${value}${padding}  -- ${description}`}`;
  });
}

/** Each value and its description. Fish itself chooses what fits, and quotes. */
function fishLines(candidates: readonly Candidate[]): string[] {
  return candidates.map(({ value, description = '' }) => `${value}\t${description}`);
}
