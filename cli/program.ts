import { Command } from 'commander';
import { packageVersion } from '../src/version.ts';
import { serverUrl } from './input/arguments.ts';
import { epilogue, moreExamples } from './manual.ts';

/** A top-level command, under its heading in `backoffice --help`. Each is loaded only when needed. */
interface TopLevelCommand {
  readonly heading: string;
  readonly load: () => Promise<Command>;
}

const data = 'Data:';
const access = 'Access:';
const operation = 'Operation:';

const topLevel: Readonly<Record<string, TopLevelCommand>> = {
  dashboard: {
    heading: 'Dashboard:',
    load: async () => (await import('./commands/dashboard.ts')).dashboardCommand(),
  },
  issues: { heading: data, load: async () => (await import('./commands/issues/index.ts')).issuesCommand() },
  conversations: {
    heading: data,
    load: async () => (await import('./commands/conversations/index.ts')).conversationsCommand(),
  },
  changes: {
    heading: data,
    load: async () => (await import('./commands/changes/index.ts')).changesCommand(),
  },
  comments: {
    heading: data,
    load: async () => (await import('./commands/comments/index.ts')).commentsCommand(),
  },
  'saved-replies': {
    heading: data,
    load: async () => (await import('./commands/saved-replies/index.ts')).savedRepliesCommand(),
  },
  settings: {
    heading: data,
    load: async () => (await import('./commands/settings/index.ts')).settingsCommand(),
  },
  admins: { heading: data, load: async () => (await import('./commands/admins/index.ts')).adminsCommand() },
  usage: { heading: data, load: async () => (await import('./commands/usage/index.ts')).usageCommand() },
  scraping: {
    heading: data,
    load: async () => (await import('./commands/scraping/index.ts')).scrapingCommand(),
  },
  sessions: {
    heading: access,
    load: async () => (await import('./commands/sessions/index.ts')).sessionsCommand(),
  },
  invitations: {
    heading: access,
    load: async () => (await import('./commands/invitations/index.ts')).invitationsCommand(),
  },
  tokens: { heading: access, load: async () => (await import('./commands/tokens/index.ts')).tokensCommand() },
  audit: { heading: access, load: async () => (await import('./commands/audit/index.ts')).auditCommand() },
  events: { heading: access, load: async () => (await import('./commands/events/index.ts')).eventsCommand() },
  mcp: { heading: access, load: async () => (await import('./commands/mcp.ts')).mcpCommand() },
  webhooks: {
    heading: access,
    load: async () => (await import('./commands/webhooks/index.ts')).webhooksCommand(),
  },
  up: { heading: operation, load: async () => (await import('./commands/up.ts')).upCommand() },
  serve: { heading: operation, load: async () => (await import('./commands/serve.ts')).serveCommand() },
  migrate: {
    heading: operation,
    load: async () => (await import('./commands/migrate/index.ts')).migrateCommand(),
  },
  backup: { heading: operation, load: async () => (await import('./commands/backup.ts')).backupCommand() },
  restore: {
    heading: operation,
    load: async () => (await import('./commands/restore.ts')).restoreCommand(),
  },
  seed: { heading: operation, load: async () => (await import('./commands/seed.ts')).seedCommand() },
  doctor: { heading: operation, load: async () => (await import('./commands/doctor.ts')).doctorCommand() },
  openapi: { heading: operation, load: async () => (await import('./commands/openapi.ts')).openapiCommand() },
  completion: {
    heading: operation,
    load: async () => (await import('./commands/completion.ts')).completionCommand(createProgram),
  },
};

/** The names of the top-level commands, in the order of `backoffice --help`. */
export const topLevelNames = Object.keys(topLevel);

/**
 * Creates the command line, `backoffice <noun> <verb>`. Opens nothing.
 *
 * @param name - the only top-level command to load, which makes the start faster; all if it is absent or unknown
 */
export async function createProgram(name?: string): Promise<Command> {
  const program = createRoot();
  await addCommands(program, name);
  return program;
}

/** Creates the command line with its global options and without commands. */
export function createRoot(): Command {
  const program = new Command('backoffice')
    .description('The administration back office of a website.')
    .option('--server <url>', 'work through this server, not on the database (BACKOFFICE_TOKEN)', serverUrl)
    .option('--debug', 'show the whole error, with its stack')
    .version(packageVersion(), '--version', 'show the version')
    .addHelpText('after', epilogue);
  return configure(program);
}

/** Adds one top-level command, or all if the name is absent or unknown. */
export async function addCommands(program: Command, name: string | undefined): Promise<void> {
  const names = name !== undefined && Object.hasOwn(topLevel, name) ? [name] : topLevelNames;
  const chosen = names.flatMap((each) => topLevel[each] ?? []);
  const commands = await Promise.all(chosen.map(({ load }) => load()));
  for (const [index, command] of commands.entries()) {
    program.commandsGroup(chosen[index]?.heading ?? '');
    program.addCommand(command);
    finish(command, [command.name()]);
  }
}

/** Configures a command and all its subcommands, and adds their examples. */
function finish(command: Command, words: readonly string[]): void {
  const example = moreExamples[words.join(' ')];
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`);
  configure(command);
  for (const child of command.commands) finish(child, [...words, child.name()]);
}

/** Sets what a command does not inherit when it is added to another. Only `bin` ends the process. */
function configure(command: Command): Command {
  return command
    .exitOverride()
    .showHelpAfterError('Run with --help to see how it is used.')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true });
}
