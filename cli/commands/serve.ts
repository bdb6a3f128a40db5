import { Command } from 'commander';

/** `backoffice serve`: the API alone, for a process manager. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('serve the API, on a database that is migrated already')
    .addHelpText(
      'after',
      `
Reads PORT, HOST, DATABASE_URL, SESSION_SECRET and more: docs/cli.md, Environment.

Example:
  DATABASE_URL=postgres://… SESSION_SECRET=… backoffice serve`,
    );
  return command.action(async () => {
    const { serve } = await import('../serving/serve.ts');
    await serve(command);
  });
}
