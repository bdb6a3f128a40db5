import { BackofficeError } from '../../src/contract/errors.ts';
import { FailedError, NotFoundError, UsageError } from '../errors.ts';
import { isDumbTerminal } from '../terminal/environment.ts';
import { remark } from '../terminal/terminal.ts';
import type { EditedFile } from './editor.ts';
import { canAsk, confirm } from './prompts.ts';
import { readInputText } from './standard-input.ts';

/** A text that a person may write in an editor. */
export interface LongText {
  /** What the text is: `reply`. Also the name of its file. */
  readonly what: string;
  /** The text to start with. */
  readonly initial?: string;
  /** Whether an empty text is one. By default it cancels. */
  readonly mayBeEmpty?: boolean;
  /** Whether the text may stay as it is. By default that cancels. */
  readonly mayStay?: boolean;
  /** Lines below the text in the editor, such as what it answers. */
  readonly about?: readonly string[];
  /** The end of the name of its file. */
  readonly ending?: string;
}

/**
 * Does something with a text: the given one, that of standard input for `-`, and without one that of the user's editor on
 * a terminal and of standard input elsewhere. If that fails, what was written in the editor stays in a file, whose path is
 * printed.
 *
 * @throws UsageError if the text is empty and may not be
 */
export async function withText<T>(
  given: string | undefined,
  text: LongText,
  use: (text: string) => Promise<T>,
): Promise<T> {
  if (given === undefined && canEdit()) return await withEditedText(text, use);
  const written = given === undefined || given === '-' ? await readTypedText() : given;
  if (written === '' && text.mayBeEmpty !== true) throw new UsageError(`The ${text.what} is empty.`);
  return await use(written);
}

/** Reads a text from standard input. On a terminal, says how to end it. */
async function readTypedText(): Promise<string> {
  if (process.stdin.isTTY === true) remark('Type the text, then press Ctrl-D on an empty line:');
  return await readInputText();
}

/** Reports whether there is a terminal that an editor can use. */
export function canEdit(): boolean {
  return canAsk() && !isDumbTerminal();
}

/**
 * Does something with a text of some form that the user writes in the editor. If the form is wrong, the user may correct it.
 *
 * @throws FailedError if the text is empty, or as it was
 */
export async function withEditedDocument<T>(text: LongText, use: (text: string) => Promise<T>): Promise<T> {
  return await withEditedText(text, async (written, file) => {
    for (let current = written; ; current = await file.edit()) {
      try {
        return await use(current);
      } catch (error) {
        if (!isWrongInput(error) || current === '') throw error;
        remark((error as Error).message);
        await confirm('Edit it again?', false, true);
      }
    }
  });
}

/** Reports whether the input was wrong, so that another one may be right. */
function isWrongInput(error: unknown): boolean {
  return (
    error instanceof UsageError ||
    error instanceof NotFoundError ||
    (error instanceof BackofficeError && error.code === 'invalid')
  );
}

/**
 * Does something with a text that the user writes in the editor.
 *
 * @throws FailedError if the text is empty, or as it was
 */
export async function withEditedText<T>(
  { what, initial = '', mayBeEmpty = false, mayStay = false, about = [], ending = 'md' }: LongText,
  use: (text: string, file: EditedFile) => Promise<T>,
): Promise<T> {
  if (!canEdit()) throw new UsageError(`There is no terminal for an editor to write the ${what} in.`);
  const cancels = mayBeEmpty ? 'Leave it as it is to cancel.' : 'An empty text cancels.';
  const { createEditedFile } = await import('./editor.ts');
  const file = await createEditedFile(`${what.replaceAll(' ', '-')}.${ending}`, initial, [
    `Write the ${what} above this line, then save it and close the editor. ${cancels}`,
    ...(about.length === 0 ? [] : ['', ...about]),
  ]);
  try {
    const text = await file.edit();
    if (text === '' && !mayBeEmpty) throw new FailedError(`The ${what} is empty. Nothing was changed.`);
    if (initial !== '' && !mayStay && text === initial)
      throw new FailedError(`You did not change the ${what}.`);
    const done = await use(text, file);
    await file.remove();
    return done;
  } catch (error) {
    await keepText(file, initial);
    throw error;
  }
}

/** Says where the text is that could not be sent. A file without a new text is removed. */
async function keepText(file: EditedFile, initial: string): Promise<void> {
  // What cannot be read is not lost either.
  const text = await file.read().catch(() => undefined);
  if (text === '' || text === initial) await file.remove();
  else remark(`Your text is kept in ${file.path}.`);
}

/**
 * Returns options in which `-` is replaced by the text of standard input.
 *
 * @param names - the options that hold texts
 */
export async function readTexts<Options extends object>(
  options: Options,
  names: readonly (keyof Options & string)[],
): Promise<Options> {
  const read: Partial<Record<keyof Options, string>> = {};
  for (const name of names) if (options[name] === '-') read[name] = await readTypedText();
  return { ...options, ...read };
}
