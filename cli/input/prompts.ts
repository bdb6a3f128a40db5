import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { FailedError, StoppedError, UsageError } from '../errors.ts';
import { printable } from '../terminal/text.ts';
import { readInputText } from './standard-input.ts';

/** Prompts need a terminal on both sides. They are drawn on standard error. */
export const canAsk = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Returns what the user types on: standard input, or the terminal itself where that is a pipe.
 *
 * @throws UsageError if there is no terminal to ask the question on
 */
function openKeyboard(question: string): ReadStream {
  if (canAsk()) return process.stdin;
  try {
    if (process.stderr.isTTY === true) return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    // A process without a terminal of its own.
  }
  throw new UsageError(`${printable(question)} There is no terminal to confirm this. Add --yes to confirm.`);
}

function closeKeyboard(keyboard: ReadStream): void {
  if (keyboard !== process.stdin) keyboard.destroy();
}

/**
 * Checks that `confirm` can ask, before work that leads to the question.
 *
 * @throws UsageError if there is no terminal
 */
export function requireTerminal(question: string): void {
  closeKeyboard(openKeyboard(question));
}

/**
 * Asks for confirmation before a change that is hard to undo.
 *
 * @param yes - whether `--yes` was given
 * @param initialValue - the answer that is chosen at first
 * @throws UsageError if there is no terminal, FailedError if the answer is no, StoppedError after Ctrl-C
 */
export async function confirm(
  question: string,
  yes: boolean | undefined,
  initialValue = false,
): Promise<void> {
  if (yes === true) return;
  const input = openKeyboard(question);
  const { confirm: ask } = await import('@clack/prompts');
  try {
    const message = printable(question);
    const isYes = await unlessStopped(ask({ message, initialValue, input, output: process.stderr }));
    if (!isYes) throw new FailedError('Nothing was changed.');
  } finally {
    closeKeyboard(input);
  }
}

/**
 * Asks for a password without showing it, or reads it from standard input without its last line break.
 *
 * @param fromStdin - whether `--password-stdin` was given
 */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin === true) return await readInputText();
  if (!canAsk()) throw new UsageError('There is no terminal to ask for the password. Use --password-stdin.');
  const { password } = await import('@clack/prompts');
  const ask = (message: string) => unlessStopped(password({ message, output: process.stderr }));
  const answer = await ask('Password');
  if ((await ask('Repeat the password')) === answer) return answer;
  throw new FailedError('The passwords do not match. Nothing was changed.');
}

/** Returns the answer to a prompt. Rejects after Ctrl-C, which a prompt gets as a key and not as a signal. */
async function unlessStopped<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await prompt;
  if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>;
  throw new StoppedError('Nothing was changed.', AbortSignal.abort('SIGINT'));
}
