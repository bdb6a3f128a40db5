import { Command, Option } from 'commander';
import { printableLines } from '../src/shared/text.ts';
import { packageVersion } from '../src/version.ts';
import { addAliases, namesInHelp, nounOf } from './aliases.ts';
import { serverUrl } from './input/arguments.ts';
import { argumentsOf } from './input/last-word.ts';
import { moreExamples } from './manual.ts';
import { explainMistakes } from './usage-errors.ts';

/** A top-level command, under its heading in `backoffice --help`. Each is loaded only when needed. */
interface TopLevelCommand {
  readonly heading: string;
  readonly description: string;
  readonly load: () => Promise<Command>;
}

const data = 'Data:';
const access = 'Access:';
const operation = 'Operation:';

const topLevel: Readonly<Record<string, TopLevelCommand>> = {
  dashboard: {
    heading: 'Dashboard:',
    description: 'open the dashboard in this terminal',
    load: async () => (await import('./commands/dashboard.ts')).dashboardCommand(),
  },
  issues: {
    heading: data,
    description: 'list, report and manage issues',
    load: async () => (await import('./commands/issues/index.ts')).issuesCommand(),
  },
  conversations: {
    heading: data,
    description: 'read and answer messages from visitors',
    load: async () => (await import('./commands/conversations/index.ts')).conversationsCommand(),
  },
  changes: {
    heading: data,
    description: 'undo changes of issues and conversations',
    load: async () => (await import('./commands/changes/index.ts')).changesCommand(),
  },
  labels: {
    heading: data,
    description: 'list, rename and delete the labels of issues and conversations',
    load: async () => (await import('./commands/labels/index.ts')).labelsCommand(),
  },
  comments: {
    heading: data,
    description: 'comment on issues and conversations, within the team',
    load: async () => (await import('./commands/comments/index.ts')).commentsCommand(),
  },
  'saved-replies': {
    heading: data,
    description: 'manage texts that the team often sends',
    load: async () => (await import('./commands/saved-replies/index.ts')).savedRepliesCommand(),
  },
  settings: {
    heading: data,
    description: 'read and change the settings',
    load: async () => (await import('./commands/settings/index.ts')).settingsCommand(),
  },
  admins: {
    heading: data,
    description: 'manage admin accounts',
    load: async () => (await import('./commands/admins/index.ts')).adminsCommand(),
  },
  usage: {
    heading: data,
    description: 'see the usage of AI tokens, its cost and its budgets',
    load: async () => (await import('./commands/usage/index.ts')).usageCommand(),
  },
  scraping: {
    heading: data,
    description: 'see and record scraping runs',
    load: async () => (await import('./commands/scraping/index.ts')).scrapingCommand(),
  },
  connect: {
    heading: data,
    description: 'connect your website: what to do, and what it has sent so far',
    load: async () => (await import('./commands/connect.ts')).connectCommand(),
  },
  login: {
    heading: access,
    description: 'sign in to a server, through which commands then work',
    load: async () => (await import('./commands/login.ts')).loginCommand(),
  },
  logout: {
    heading: access,
    description: 'sign out of a server, and revoke the token for it',
    load: async () => (await import('./commands/logout.ts')).logoutCommand(),
  },
  whoami: {
    heading: access,
    description: 'show who commands run as, and where',
    load: async () => (await import('./commands/whoami.ts')).whoamiCommand(),
  },
  context: {
    heading: access,
    description: 'change between the servers that you have signed in to',
    load: async () => (await import('./commands/context/index.ts')).contextCommand(),
  },
  sessions: {
    heading: access,
    description: 'list sign-in sessions and end them',
    load: async () => (await import('./commands/sessions/index.ts')).sessionsCommand(),
  },
  invitations: {
    heading: access,
    description: 'list open invitations and revoke them',
    load: async () => (await import('./commands/invitations/index.ts')).invitationsCommand(),
  },
  tokens: {
    heading: access,
    description: 'manage API tokens for scripts',
    load: async () => (await import('./commands/tokens/index.ts')).tokensCommand(),
  },
  visitors: {
    heading: data,
    description: "export or erase a visitor's data",
    load: async () => (await import('./commands/visitors/index.ts')).visitorsCommand(),
  },
  secrets: {
    heading: access,
    description: 'encrypt the stored secrets with a new key',
    load: async () => (await import('./commands/secrets/index.ts')).secretsCommand(),
  },
  audit: {
    heading: access,
    description: 'see who changed what, when and from where',
    load: async () => (await import('./commands/audit/index.ts')).auditCommand(),
  },
  events: {
    heading: access,
    description: 'follow events as they happen',
    load: async () => (await import('./commands/events/index.ts')).eventsCommand(),
  },
  mcp: {
    heading: access,
    description: 'serve an AI agent over standard input and output, by the Model Context Protocol',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  },
  mail: {
    heading: data,
    description: 'take in mails of visitors, and test the mail servers',
    load: async () => (await import('./commands/mail/index.ts')).mailCommand(),
  },
  webhooks: {
    heading: access,
    description: 'send events to other services',
    load: async () => (await import('./commands/webhooks/index.ts')).webhooksCommand(),
  },
  up: {
    heading: operation,
    description: 'start everything: the database, its schema, a first admin and the API',
    load: async () => (await import('./commands/up.ts')).upCommand(),
  },
  serve: {
    heading: operation,
    description: 'serve the API on a database that is already migrated',
    load: async () => (await import('./commands/serve.ts')).serveCommand(),
  },
  migrate: {
    heading: operation,
    description: 'apply database migrations',
    load: async () => (await import('./commands/migrate/index.ts')).migrateCommand(),
  },
  backup: {
    heading: operation,
    description: 'write all data, as it is at one moment, into a file',
    load: async () => (await import('./commands/backup.ts')).backupCommand(),
  },
  restore: {
    heading: operation,
    description: 'fill an empty database with a backup',
    load: async () => (await import('./commands/restore.ts')).restoreCommand(),
  },
  seed: {
    heading: operation,
    description: 'fill an empty database with realistic example data',
    load: async () => (await import('./commands/seed.ts')).seedCommand(),
  },
  doctor: {
    heading: operation,
    description: 'check Node, configuration, database, schema, clock and disk, and say how to fix problems',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
  version: {
    heading: operation,
    description: 'show the version of this program and the commit that it was built from',
    load: async () => (await import('./commands/version.ts')).versionCommand(),
  },
  openapi: {
    heading: operation,
    description: 'print the OpenAPI document of the API',
    load: async () => (await import('./commands/openapi.ts')).openapiCommand(),
  },
  completion: {
    heading: operation,
    description: 'print the script that lets a shell complete commands and values',
    load: async () => (await import('./commands/completion.ts')).completionCommand(createProgram),
  },
};

/** The names of the top-level commands, in the order of `backoffice --help`. */
export const topLevelNames = Object.keys(topLevel);

/** Creates the command line, `backoffice <noun> <verb>`, with every command. Opens nothing. */
export async function createProgram(): Promise<Command> {
  const program = createRoot();
  await addEveryCommand(program);
  return program;
}

/** Creates the command line with its global options and without commands. */
export function createRoot(): Command {
  const program = new Command('backoffice')
    .description('The administration back office of a website.')
    .addOption(
      new Option('--server <url>', 'work through this server, not on the database (BACKOFFICE_TOKEN)')
        .argParser(serverUrl)
        .conflicts('context'),
    )
    .option('--context <name>', 'work through a server that you have signed in to (`backoffice login`)')
    .option('--debug', 'show the whole error, with its stack; so does DEBUG=1')
    .addOption(new Option('--verbose', 'as --debug').implies({ debug: true }).hideHelp())
    .version(packageVersion(), '--version', 'show the version');
  return configure(program).configureHelp({ subcommandTerm: (command) => command.name() });
}

/**
 * Adds the commands that a command line needs. Loading takes most of the time of a start, so that is only the one that is
 * named. Without one, what is printed is help or an error, which take no more than names and descriptions.
 *
 * @param word - the first word, if there is one
 */
export async function addNeededCommands(program: Command, word: string | undefined): Promise<void> {
  if (word === 'help') return await addEveryCommand(program);
  const name = word === undefined ? undefined : nounOf(word);
  if (name !== undefined && Object.hasOwn(topLevel, name)) return await loadCommand(program, name);
  for (const each of topLevelNames) add(program, each, new Command(each));
  await addEpilogue(program);
}

async function addEveryCommand(program: Command): Promise<void> {
  for (const name of topLevelNames) await loadCommand(program, name);
  await addEpilogue(program);
}

async function loadCommand(program: Command, name: string): Promise<void> {
  const command = await topLevel[name]?.load();
  if (command === undefined) return;
  add(program, name, command);
  finish(command, [name]);
}

/** Adds a top-level command under its heading. */
function add(program: Command, name: string, command: Command): void {
  const { heading = '', description = '' } = topLevel[name] ?? {};
  program.commandsGroup(heading);
  program.addCommand(configure(command.description(description)));
}

async function addEpilogue(program: Command): Promise<void> {
  const { epilogue } = await import('./epilogue.ts');
  program.addHelpText('after', epilogue());
}

/** Configures a command and all its subcommands, and adds their examples. */
function finish(command: Command, words: readonly string[]): void {
  const example = moreExamples[words.join(' ')];
  if (example !== undefined) command.addHelpText('after', `\nExample:\n  ${example}`);
  addAliases(command);
  configure(command);
  for (const child of command.commands) finish(child, [...words, child.name()]);
}

/** Sets what a command does not inherit when it is added to another. Only `bin` ends the process. */
function configure(command: Command): Command {
  explainMistakes(command);
  return command
    .exitOverride()
    .showHelpAfterError('Run with --help to see how it is used.')
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(printableLines(text)) })
    .configureHelp({
      showGlobalOptions: true,
      visibleArguments: (shown) => [...argumentsOf(shown)],
      ...namesInHelp,
    });
}
