import { type Command, CommanderError } from 'commander';
import { errorCode } from '../src/shared/errors.ts';
import { addNeededCommands, createRoot } from './program.ts';
import { hasScreen, printError, remark } from './terminal/terminal.ts';
import type { BackofficeCommand } from './verb/command.ts';

/**
 * Runs the `backoffice` command.
 *
 * @param argv - as `process.argv`
 * @returns the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed or not connected, 128 and
 *   the number of the signal that stopped it
 */
export async function main(argv: string[]): Promise<number> {
  const inJson = asksForJson(argv.slice(2));
  const program = createRoot(inJson);
  const output = watchOutput();
  try {
    const { operands, unknown } = program.parseOptions(argv.slice(2));
    const isBare = operands.length === 0 && unknown.length === 0;
    if (isBare && hasScreen()) {
      await addNeededCommands(program, 'dashboard');
      await program.parseAsync([...argv, 'dashboard']);
    } else {
      const asked = helpOf(operands);
      await addNeededCommands(program, asked?.[0] ?? operands[0]);
      if (asked !== undefined) requireCommand(program, asked);
      await program.parseAsync(asked === undefined ? argv : [...argv.slice(0, 2), ...asked, '--help']);
    }
    return await output.exitCode();
  } catch (error) {
    // commander has printed its message already. Help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? await output.exitCode() : 2;
    if (errorCode(error) === 'EPIPE') return 0;
    if ((await output.exitCode()) !== 0) return 1;
    const { exitCodeOf, jsonOf, sentenceOf } = await import('./failures.ts');
    const { isDebugging } = await import('../src/config.ts');
    const isDebugged = program.opts().debug === true || isDebugging();
    if (inJson && !isDebugged) remark(jsonOf(error));
    else printError(isDebugged ? error : sentenceOf(error));
    return exitCodeOf(error);
  }
}

/** Reports whether a command line asks for JSON. A script that does gets errors as JSON too. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).some((word) => /^--jsonl?(=|$)/.test(word));
}

/**
 * Keeps errors of standard output and error from ending the process. If the reader of the output has left, such as `head`,
 * a command just ends. Any other error loses a part of the result, and is reported.
 */
function watchOutput(): { exitCode: () => Promise<number> } {
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
  process.stderr.on('error', () => {});
  return {
    async exitCode() {
      // What is written already may fail a moment later.
      await new Promise((resolve) => process.stdout.write('', resolve));
      if (lost === undefined) return 0;
      printError(`Cannot write the output (${lost.code}). It is incomplete.`);
      return 1;
    },
  };
}

/**
 * Returns the command that `help issues list` or `issues help list` asks about. The `help` of commander takes one word, which
 * it does not check.
 */
function helpOf(operands: readonly string[]): readonly string[] | undefined {
  const isHelp = operands.slice(0, 2).includes('help');
  return isHelp && operands.length > 1 ? operands.filter((word) => word !== 'help') : undefined;
}

/** Ends the program if there is no such command. */
function requireCommand(program: BackofficeCommand, words: readonly string[]): void {
  let command = program;
  for (const word of words)
    command = command.commands.find((each) => isCalled(each, word)) ?? command.refuse(word);
}

const isCalled = (command: Command, word: string) =>
  command.name() === word || command.aliases().includes(word);
