import { CommanderError } from 'commander';
import { addNeededCommands, createRoot } from './program.ts';
import { hasTerminal, printError } from './terminal.ts';

/**
 * Runs the `backoffice` command.
 *
 * @param argv - as `process.argv`
 * @returns the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed or not connected
 */
export async function main(argv: string[]): Promise<number> {
  const program = createRoot();
  // If the reader of the output has left, such as `head`, the write below rejects with EPIPE.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    const { operands, unknown } = program.parseOptions(argv.slice(2));
    const isBare = operands.length === 0 && unknown.length === 0;
    const opensDashboard = isBare && hasTerminal();
    await addNeededCommands(program, opensDashboard ? 'dashboard' : operands[0]);
    await program.parseAsync(opensDashboard ? [...argv, 'dashboard'] : argv);
    return 0;
  } catch (error) {
    // commander has printed its message already. Help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    const { exitCodeOf, sentenceOf } = await import('./failures.ts');
    printError(program.opts().debug === true ? error : sentenceOf(error));
    return exitCodeOf(error);
  }
}
