import { Command } from 'commander';

/** `backoffice serve`: the API only, for a process manager. */
export function serveCommand(): Command {
  const command = new Command('serve').addHelpText(
    'after',
    `
Reads PORT, HOST, DATABASE_URL, SESSION_SECRET and other variables: see Environment in docs/cli.md.

Example:
  DATABASE_URL=postgres://… SESSION_SECRET=… backoffice serve`,
  );
  return command.action(async () => {
    const { serve } = await import('../serving/serve.ts');
    await serve(command);
  });
}
