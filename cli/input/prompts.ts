import { text } from 'node:stream/consumers';
import { FailedError, UsageError } from '../errors.ts';
import { printable } from '../output/text.ts';
import { remark } from '../terminal.ts';

/** Prompts are for people: both ends must be a terminal. They are drawn on standard error. */
const canAsk = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Asks before what cannot simply be taken back.
 *
 * @param yes - `--yes` was given
 * @throws UsageError where nobody can be asked, FailedError where the answer is no
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (!canAsk()) throw new UsageError(`${printable(question)} Nobody can be asked here: add --yes to do it.`);
  const { confirm: askToConfirm, isCancel } = await import('@clack/prompts');
  const answer = await askToConfirm({
    message: printable(question),
    initialValue: false,
    output: process.stderr,
  });
  if (isCancel(answer) || !answer) throw new FailedError('Nothing was changed.');
}

/**
 * A password, hidden as it is typed, or the whole of standard input without its last line break.
 *
 * @param fromStdin - `--password-stdin` was given
 */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin === true) return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!canAsk()) throw new UsageError('There is no terminal to ask for the password: use --password-stdin.');
  const { isCancel, password: askPassword } = await import('@clack/prompts');
  const answer = await askPassword({ message: 'Password', output: process.stderr });
  if (isCancel(answer)) throw new FailedError('Nothing was changed.');
  const again = await askPassword({ message: 'The same again', output: process.stderr });
  if (isCancel(again) || again !== answer)
    throw new FailedError('The two are not the same. Nothing was changed.');
  return answer;
}

/** A text that is given, or with `-` or nothing the whole of standard input without its last line break. */
export async function readText(given: string | undefined): Promise<string> {
  if (given !== undefined && given !== '-') return given;
  if (process.stdin.isTTY === true) remark('Write the text, and end it with Ctrl-D on a line of its own:');
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}
