import { CommanderError } from 'commander';
import { exitCodeOf, sentenceOf } from './errors.ts';
import { createProgram } from './program.ts';
import { printError } from './terminal.ts';

/**
 * Runs the `backoffice` command.
 *
 * @param argv - as `process.argv`
 * @returns the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed or not connected
 */
export async function main(argv: string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    // commander has printed its own message already; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(program.opts().debug === true ? error : sentenceOf(error));
    return exitCodeOf(error);
  }
}
