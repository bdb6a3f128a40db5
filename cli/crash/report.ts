import { readdir, rm, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { crashFolder, setVariables } from '../../src/config.ts';
import { makeFolders } from '../../src/files/make-folders.ts';
import { packageVersion } from '../../src/version.ts';
import { createProgram } from '../program.ts';
import { remark } from '../terminal.ts';
import { safeCommand } from './safe-command.ts';
import { safeStack } from './safe-stack.ts';

/** A command that fails every minute must not fill the disk. */
const maxReports = 20;

/**
 * Writes a report about a defect of the program into a file that only its user can read, and says what to do with it. The
 * report has no values of arguments, settings or variables, and no texts.
 */
export async function reportCrash(error: Error, argv: readonly string[]): Promise<void> {
  const text = await render(error, argv);
  const file = await save(text).catch(() => undefined);
  if (file === undefined) remark(`This is a defect of Backoffice. Send this to its maintainers:\n\n${text}`);
  else
    remark(
      `This is a defect of Backoffice. Send the report in ${file} to its maintainers, and say what you did. The report ` +
        'contains none of your data. To see the stack, add --debug.',
    );
}

async function render(error: Error, argv: readonly string[]): Promise<string> {
  const facts = {
    version: packageVersion(),
    node: process.version,
    platform: `${process.platform} ${process.arch} ${release()}`,
    terminal: process.stdout.isTTY ? 'yes' : 'no',
    time: new Date().toISOString(),
    command: await commandOf(argv),
    variables: setVariables().join(', ') || 'none',
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(10)}${value}`);
  return ['Crash report of Backoffice', '', ...lines, '', ...safeStack(error), ''].join('\n');
}

/** Returns `unknown` if the defect keeps the commands from being made: the rest of the report still helps. */
async function commandOf(argv: readonly string[]): Promise<string> {
  try {
    return safeCommand(await createProgram(), argv.slice(2));
  } catch {
    return 'unknown';
  }
}

async function save(text: string): Promise<string> {
  const folder = crashFolder();
  await makeFolders(folder, 0o700);
  const older = (await readdir(folder)).filter((name) => name.startsWith('crash-')).sort();
  for (const name of older.slice(0, -(maxReports - 1))) await rm(join(folder, name), { force: true });
  const file = join(folder, `crash-${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}.txt`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}
