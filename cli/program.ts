import { Command } from 'commander';
import { adminsCommand } from './admins.ts';
import { issuesCommand } from './issues.ts';
import { migrateCommand } from './migrate.ts';
import { seedCommand } from './seed.ts';
import { serveCommand } from './serve.ts';
import { tokensCommand } from './tokens.ts';
import { upCommand } from './up.ts';

/** The whole command line: `backoffice <noun> <verb>`. Building it opens nothing. */
export function createProgram(): Command {
  const program = new Command('backoffice')
    .description('The administration back office of a website.')
    .option('--debug', 'show the whole of an error')
    .showHelpAfterError('Run with --help to see how it is used.')
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `
Environment:
  DATABASE_URL   the Postgres to use; without it, an embedded one in the data directory
  PORT, HOST     where the API listens (3000, 127.0.0.1)
  The README lists the others.`,
    );
  const commands = [
    upCommand(),
    serveCommand(),
    migrateCommand(),
    adminsCommand(),
    tokensCommand(),
    issuesCommand(),
    seedCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  throwInsteadOfExiting(program);
  return program;
}

/** Only `bin` ends the process. The setting is not inherited by commands that are added whole. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExiting(child);
}
