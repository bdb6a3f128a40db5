import { type Command, CommanderError } from 'commander';
import { createProgram } from './program.ts';
import { hasTerminal, printError } from './terminal.ts';

/**
 * Runs the `backoffice` command.
 *
 * @param argv - as `process.argv`
 * @returns the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed or not connected
 */
export async function main(argv: string[]): Promise<number> {
  const program = createProgram();
  // A reader that has seen enough, such as `head`, is no failure; the write that finds it gone rejects below.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    await program.parseAsync(isBare(program, argv) && hasTerminal() ? [...argv, 'dashboard'] : argv);
    return 0;
  } catch (error) {
    // commander has printed its own message already; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    const { exitCodeOf, sentenceOf } = await import('./failures.ts');
    printError(program.opts().debug === true ? error : sentenceOf(error));
    return exitCodeOf(error);
  }
}

/** Whether no command is named, nor anything else that is not an option of all of them. */
function isBare(program: Command, argv: readonly string[]): boolean {
  const { operands, unknown } = program.parseOptions(argv.slice(2));
  return operands.length === 0 && unknown.length === 0;
}
