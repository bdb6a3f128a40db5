import { Command } from 'commander';

/** `backoffice up`: starts everything with one command. */
export function upCommand(): Command {
  const command = new Command('up').addHelpText(
    'after',
    `
Reads PORT, HOST, DATABASE_URL, SESSION_SECRET and other variables: see Environment in docs/cli.md.

Example:
  PORT=8080 backoffice up`,
  );
  return command.action(async () => {
    const { up } = await import('../serving/up.ts');
    await up(command);
  });
}
