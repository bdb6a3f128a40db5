import { Command } from 'commander';

/** `backoffice up`: everything that a start needs, in one command. */
export function upCommand(): Command {
  const command = new Command('up')
    .description('bring everything up: the database, its schema, a first admin, the API')
    .addHelpText(
      'after',
      `
Reads PORT, HOST, DATABASE_URL, SESSION_SECRET and more: docs/cli.md, Environment.

Example:
  PORT=8080 backoffice up`,
    );
  return command.action(async () => {
    const { up } = await import('../serving/up.ts');
    await up(command);
  });
}
