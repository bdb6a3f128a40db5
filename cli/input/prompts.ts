import { FailedError, UsageError } from '../errors.ts';
import { printable } from '../output/text.ts';
import { remark } from '../terminal.ts';
import { readInputText } from './standard-input.ts';

/** Prompts need a terminal on both sides. They are drawn on standard error. */
const canAsk = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Asks for confirmation before a change that is hard to undo.
 *
 * @param yes - whether `--yes` was given
 * @throws UsageError if there is no terminal, FailedError if the answer is no
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (!canAsk())
    throw new UsageError(
      `${printable(question)} There is no terminal to confirm this. Add --yes to confirm.`,
    );
  const { confirm: askToConfirm, isCancel } = await import('@clack/prompts');
  const answer = await askToConfirm({
    message: printable(question),
    initialValue: false,
    output: process.stderr,
  });
  if (isCancel(answer) || !answer) throw new FailedError('Nothing was changed.');
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
  if (isCancel(answer)) throw new FailedError('Nothing was changed.');
  const repeated = await askPassword({ message: 'Repeat the password', output: process.stderr });
  if (isCancel(repeated) || repeated !== answer)
    throw new FailedError('The passwords do not match. Nothing was changed.');
  return answer;
}

/** Returns the given text. For `-` or none it reads standard input, without its last line break. */
export async function readText(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== '-') return given;
  if (process.stdin.isTTY === true) remark('Type the text, then press Ctrl-D on an empty line:');
  return await readInputText();
}
