import { Command } from 'commander';
import { packageVersion } from '../src/version.ts';
import { adminsCommand } from './commands/admins/index.ts';
import { auditCommand } from './commands/audit/index.ts';
import { completionCommand } from './commands/completion.ts';
import { conversationsCommand } from './commands/conversations/index.ts';
import { dashboardCommand } from './commands/dashboard.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventsCommand } from './commands/events/index.ts';
import { issuesCommand } from './commands/issues/index.ts';
import { migrateCommand } from './commands/migrate/index.ts';
import { openapiCommand } from './commands/openapi.ts';
import { scrapingCommand } from './commands/scraping/index.ts';
import { seedCommand } from './commands/seed.ts';
import { serveCommand } from './commands/serve.ts';
import { sessionsCommand } from './commands/sessions/index.ts';
import { settingsCommand } from './commands/settings/index.ts';
import { tokensCommand } from './commands/tokens/index.ts';
import { upCommand } from './commands/up.ts';
import { usageCommand } from './commands/usage/index.ts';
import { webhooksCommand } from './commands/webhooks/index.ts';
import { serverUrl } from './input/arguments.ts';
import { epilogue, moreExamples } from './manual.ts';

/** The whole command line: `backoffice <noun> <verb>`. Building it opens nothing. */
export function createProgram(): Command {
  const program = new Command('backoffice')
    .description('The administration back office of a website.')
    .option(
      '--server <url>',
      'work through this server instead of on the database (BACKOFFICE_TOKEN)',
      serverUrl,
    )
    .option('--debug', 'show the whole of an error')
    .version(packageVersion(), '--version', 'show the version')
    .addHelpText('after', epilogue);
  program.commandsGroup('Dashboard:');
  program.addCommand(dashboardCommand());
  program.commandsGroup('Data:');
  for (const noun of [
    issuesCommand(),
    conversationsCommand(),
    settingsCommand(),
    adminsCommand(),
    usageCommand(),
    scrapingCommand(),
  ]) {
    program.addCommand(noun);
  }
  program.commandsGroup('Access:');
  for (const noun of [sessionsCommand(), tokensCommand(), auditCommand(), eventsCommand(), webhooksCommand()])
    program.addCommand(noun);
  program.commandsGroup('Operation:');
  for (const noun of [
    upCommand(),
    serveCommand(),
    migrateCommand(),
    seedCommand(),
    doctorCommand(),
    openapiCommand(),
    completionCommand(program),
  ]) {
    program.addCommand(noun);
  }
  finish(program);
  return program;
}

/** What commands that are added whole do not inherit, and their examples. Only `bin` ends the process. */
function finish(command: Command, words: readonly string[] = []): void {
  const example = moreExamples[words.join(' ')];
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`);
  command
    .exitOverride()
    .showHelpAfterError('Run with --help to see how it is used.')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true });
  for (const child of command.commands) finish(child, [...words, child.name()]);
}
