import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { FailedError, StoppedError, UsageError } from '../errors.ts';
import { printable } from '../terminal/text.ts';
import { readInputText } from './standard-input.ts';

/** Prompts need a terminal on both sides. They are drawn on standard error. */
export const canAsk = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Returns what the user types on: standard input, or the terminal itself where that is a pipe. */
function openKeyboard(): ReadStream | undefined {
  if (process.stderr.isTTY !== true) return undefined;
  if (process.stdin.isTTY === true) return process.stdin;
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
}

/**
 * Asks for confirmation before a change that is hard to undo.
 *
 * @param yes - whether `--yes` was given
 * @throws UsageError if there is no terminal, FailedError if the answer is no, StoppedError after Ctrl-C
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  const keyboard = openKeyboard() ?? refuseToAsk(question);
  const { confirm: askToConfirm, isCancel } = await import('@clack/prompts');
  try {
    const answer = await askToConfirm({
      message: printable(question),
      initialValue: false,
      input: keyboard,
      output: process.stderr,
    });
    if (isCancel(answer)) throw stopped();
    if (!answer) throw new FailedError('Nothing was changed.');
  } finally {
    if (keyboard !== process.stdin) keyboard.destroy();
  }
}

/**
 * Checks that `confirm` can ask, before work that leads to the question.
 *
 * @throws UsageError if there is no terminal
 */
export function requireTerminal(question: string): void {
  const keyboard = openKeyboard() ?? refuseToAsk(question);
  if (keyboard !== process.stdin) keyboard.destroy();
}

function refuseToAsk(question: string): never {
  throw new UsageError(`${printable(question)} There is no terminal to confirm this. Add --yes to confirm.`);
}

/** Asks a question whose answer is yes by default. Without a terminal the answer is no. */
export async function ask(question: string): Promise<boolean> {
  if (!canAsk()) return false;
  const { confirm: askToConfirm, isCancel } = await import('@clack/prompts');
  const answer = await askToConfirm({ message: question, output: process.stderr });
  return !isCancel(answer) && answer;
}

/**
 * Asks for a password without showing it, or reads it from standard input without its last line break.
 *
 * @param fromStdin - whether `--password-stdin` was given
 */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin === true) return await readInputText();
  if (!canAsk()) throw new UsageError('There is no terminal to ask for the password. Use --password-stdin.');
  const { isCancel, password: askPassword } = await import('@clack/prompts');
  const answer = await askPassword({ message: 'Password', output: process.stderr });
  if (isCancel(answer)) throw stopped();
  const repeated = await askPassword({ message: 'Repeat the password', output: process.stderr });
  if (isCancel(repeated)) throw stopped();
  if (repeated !== answer) throw new FailedError('The passwords do not match. Nothing was changed.');
  return answer;
}

/** The error after Ctrl-C, which a prompt gets as a key and not as a signal. */
function stopped(): StoppedError {
  return new StoppedError('Nothing was changed.', AbortSignal.abort('SIGINT'));
}
