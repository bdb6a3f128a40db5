import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withoutByteOrderMark } from '../../src/shared/text.ts';
import { FailedError } from '../errors.ts';
import { editorCommand } from '../terminal/environment.ts';
import { decodeUtf8 } from './standard-input.ts';

/** A file that the user's editor changes. Only this user can read it. */
export interface EditedFile {
  readonly path: string;
  /** Opens the editor, waits for its end, and returns what `read` does. */
  edit(): Promise<string>;
  /**
   * Returns the text above the explanation as it was saved last, without the empty lines around it. A text that has not
   * changed otherwise is the exact same.
   */
  read(): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Writes a text into a new file for the editor.
 *
 * @param name - the name of the file, whose ending tells editors what it is
 * @param explanation - what to do, in lines that are shown below the text and do not belong to it
 */
export async function createEditedFile(
  name: string,
  text: string,
  explanation: readonly string[] = [],
): Promise<EditedFile> {
  // The folder has mode 0700, so that nobody else can put another file in its place.
  const path = join(await mkdtemp(join(tmpdir(), 'backoffice-')), name);
  const scissors = scissorsFor([text, ...explanation]);
  await writeFile(path, withExplanation(text, scissors, explanation), { mode: 0o600, flag: 'wx' });
  const read = async () => {
    const content = decodeUtf8(await readFile(path), path);
    const written = tidied(explanation.length === 0 ? content : textAbove(scissors, content));
    return written === tidied(text) ? text : written;
  };
  return {
    path,
    read,
    async edit() {
      await runEditor(path);
      return await read();
    },
    remove: () => rm(dirname(path), { recursive: true, force: true }),
  };
}

/** Returns a line that ends the text, and is in none of the texts. As in git, a line of the text itself may begin with #. */
function scissorsFor(texts: readonly string[]): string {
  let half = '-'.repeat(24);
  while (texts.some((text) => text.includes(`${half} >8 ${half}`))) half += '-';
  return `# ${half} >8 ${half}`;
}

function withExplanation(text: string, scissors: string, explanation: readonly string[]): string {
  if (explanation.length === 0) return `${text}\n`;
  return `${text}\n\n${scissors}\n${explanation.map((line) => `# ${line}`.trimEnd()).join('\n')}\n`;
}

function textAbove(scissors: string, content: string): string {
  const lines = content.split('\n');
  // The last one: the user may have pasted such a line.
  const end = lines.findLastIndex((line) => line.trimEnd() === scissors);
  return lines.slice(0, end === -1 ? lines.length : end).join('\n');
}

/** Returns a text without the empty lines around it, and without what editors on Windows add. */
function tidied(text: string): string {
  const plain = withoutByteOrderMark(text).replaceAll('\r\n', '\n');
  return plain.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

/** Runs the editor in this terminal. */
async function runEditor(path: string): Promise<void> {
  const editor = editorCommand();
  // A shell, because the command may have options and quotes. Results may go to a file, so it draws on the terminal.
  const screen = process.stdout.isTTY ? 'inherit' : process.stderr.fd;
  const ignore = () => {};
  // Ctrl-C is for the editor, which receives it too.
  process.on('SIGINT', ignore);
  try {
    // The path of a program may have spaces without quotes.
    const [program, args] = existsSync(editor)
      ? [editor, [path]]
      : ['sh', ['-c', `${editor} "$@"`, editor, path]];
    const child = spawn(program, args, { stdio: ['inherit', screen, 'inherit'] });
    const [code] = await once(child, 'close');
    if (code === 127)
      throw new FailedError(`Cannot find the editor ${editor}. Set the variable EDITOR to yours.`);
    if (code !== 0) throw new FailedError(`The editor ${editor} failed. Nothing was changed.`);
  } finally {
    process.off('SIGINT', ignore);
  }
}
