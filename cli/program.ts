import { Command } from 'commander';
import { printableLines } from '../src/shared/text.ts';
import { packageVersion } from '../src/version.ts';
import { serverUrl } from './input/arguments.ts';
import { finish } from './unconverted.ts';
import { nounOf } from './verb/aliases.ts';
import { add, addParameters } from './verb/build.ts';
import { BackofficeCommand, help } from './verb/command.ts';
import { flag, type Parameters, span, text } from './verb/parameters.ts';
import type { Noun, Verb } from './verb/verb.ts';

/** A noun or a verb of the program. Each is loaded only when needed. */
interface TopLevel {
  readonly about: string;
  readonly load: () => Promise<Noun | Verb | Command>;
}

/** The commands under their headings in `backoffice --help`. */
const groups: Readonly<Record<string, Readonly<Record<string, TopLevel>>>> = {
  'Dashboard:': {
    dashboard: {
      about: 'open the dashboard in this terminal',
      load: async () => (await import('./operate/dashboard.ts')).dashboard,
    },
  },
  'Data:': {
    issues: {
      about: 'list, report and manage issues',
      load: async () => (await import('./nouns/issues.ts')).issues,
    },
    conversations: {
      about: 'read and answer messages from visitors',
      load: async () => (await import('./nouns/conversations.ts')).conversations,
    },
    changes: {
      about: 'undo changes of issues and conversations',
      load: async () => (await import('./nouns/changes.ts')).changes,
    },
    labels: {
      about: 'list, rename and delete the labels of issues and conversations',
      load: async () => (await import('./nouns/labels.ts')).labels,
    },
    comments: {
      about: 'comment on issues and conversations, within the team',
      load: async () => (await import('./nouns/comments.ts')).comments,
    },
    'saved-replies': {
      about: 'manage texts that the team often sends',
      load: async () => (await import('./nouns/saved-replies.ts')).savedReplies,
    },
    settings: {
      about: 'read and change the settings',
      load: async () => (await import('./nouns/settings.ts')).settings,
    },
    admins: {
      about: 'manage admin accounts',
      load: async () => (await import('./nouns/admins.ts')).admins,
    },
    usage: {
      about: 'see the usage of AI tokens, its cost and its budgets',
      load: async () => (await import('./nouns/usage.ts')).usage,
    },
    scraping: {
      about: 'see and record scraping runs',
      load: async () => (await import('./nouns/scraping.ts')).scraping,
    },
    connect: {
      about: 'connect your website: what to do, and what it has sent so far',
      load: async () => (await import('./nouns/connect.ts')).connect,
    },
    visitors: {
      about: "export or erase a visitor's data",
      load: async () => (await import('./nouns/visitors.ts')).visitors,
    },
    mail: {
      about: 'take in mails of visitors, and test the mail servers',
      load: async () => (await import('./nouns/mail.ts')).mail,
    },
  },
  'Access:': {
    login: {
      about: 'sign in to a server; later commands run there',
      load: async () => (await import('./nouns/login.ts')).login,
    },
    logout: {
      about: 'sign out of a server, and revoke the token for it',
      load: async () => (await import('./nouns/login.ts')).logout,
    },
    whoami: {
      about: 'show who commands run as, and where',
      load: async () => (await import('./nouns/login.ts')).whoami,
    },
    context: {
      about: 'choose the server that commands use, or the local database',
      load: async () => (await import('./nouns/context.ts')).contexts,
    },
    sessions: {
      about: 'list sign-in sessions and end them',
      load: async () => (await import('./nouns/sessions.ts')).sessions,
    },
    invitations: {
      about: 'list open invitations and revoke them',
      load: async () => (await import('./nouns/invitations.ts')).invitations,
    },
    tokens: {
      about: 'manage API tokens for scripts',
      load: async () => (await import('./nouns/tokens.ts')).tokens,
    },
    secrets: {
      about: 'encrypt the stored secrets with a new key',
      load: async () => (await import('./operate/secrets.ts')).secrets,
    },
    audit: {
      about: 'see who changed what, when and from where',
      load: async () => (await import('./nouns/audit.ts')).audit,
    },
    events: {
      about: 'follow events as they happen',
      load: async () => (await import('./nouns/events.ts')).events,
    },
    mcp: {
      about: 'serve an AI agent over standard input and output, by the Model Context Protocol',
      load: async () => (await import('./operate/mcp.ts')).mcp,
    },
    api: {
      about: 'call any operation of the API and print its JSON',
      load: async () => (await import('./nouns/api.ts')).api,
    },
    webhooks: {
      about: 'send events to other services',
      load: async () => (await import('./nouns/webhooks.ts')).webhooks,
    },
  },
  'Operation:': {
    up: {
      about: 'start everything: the database, its schema, a first admin and the API',
      load: async () => (await import('./operate/start.ts')).up,
    },
    serve: {
      about: 'serve the API on a database that is already migrated',
      load: async () => (await import('./operate/start.ts')).serve,
    },
    migrate: {
      about: 'apply database migrations',
      load: async () => (await import('./operate/migrate.ts')).migrate,
    },
    backup: {
      about: 'write all data, as it is at one moment, into a file',
      load: async () => (await import('./operate/backup.ts')).backup,
    },
    restore: {
      about: 'fill an empty database with a backup',
      load: async () => (await import('./operate/restore.ts')).restore,
    },
    seed: {
      about: 'fill an empty database with realistic example data',
      load: async () => (await import('./operate/seed.ts')).seed,
    },
    recompute: {
      about: 'recompute counts, previews and sums that are kept beside their rows, then check them',
      load: async () => (await import('./operate/recompute.ts')).recompute,
    },
    doctor: {
      about: 'check Node, configuration, database, schema, clock and disk, and say how to fix problems',
      load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
    },
    version: {
      about: 'show the version of this program and the commit that it was built from',
      load: async () => (await import('./operate/version.ts')).version,
    },
    openapi: {
      about: 'print the OpenAPI document of the API',
      load: async () => (await import('./operate/version.ts')).openapi,
    },
    completion: {
      about: 'print the script that lets a shell complete commands and values',
      load: async () => (await import('./completion/completion.ts')).completionOf(programFor),
    },
  },
};

const topLevel = Object.assign({}, ...Object.values(groups)) as Readonly<Record<string, TopLevel>>;

/** Every command takes these. */
const globalOptions: Parameters = {
  server: {
    ...text('send commands to this server instead of the local database (BACKOFFICE_TOKEN)', 'url'),
    parse: serverUrl,
    excludes: ['context'],
  },
  context: {
    ...text('send commands to a server that you have signed in to (`backoffice login`)', 'name'),
    source: 'contexts',
  },
  timeout: span('give up on a request after this time: 30s'),
  debug: flag('show the whole error, with its stack; so does DEBUG=1'),
};

/** The names of the top-level commands, in the order of `backoffice --help`. */
export const topLevelNames = Object.keys(topLevel);

/** Creates the command line, `backoffice <noun> <verb>`, with every command. Opens nothing. */
export async function createProgram(): Promise<BackofficeCommand> {
  const program = createRoot();
  await addEveryCommand(program);
  return program;
}

/**
 * Creates the command line with its global options and without commands.
 *
 * @param inJson - whether it prints mistakes on the command line as JSON
 */
export function createRoot(inJson = false): BackofficeCommand {
  const program = new BackofficeCommand('backoffice').description(
    'The administration back office of a website.',
  );
  addParameters(program, globalOptions);
  program.version(packageVersion(), '--version', 'show the version');
  // Every command inherits these. Only `bin` ends the process.
  return program
    .exitOverride()
    .showHelpAfterError(inJson ? false : 'Run with --help to see how it is used.')
    .showSuggestionAfterError()
    .configureOutput({
      outputError: (text, write) => write(inJson ? jsonOfMistake(text) : printableLines(text)),
    })
    .configureHelp({ ...help, subcommandTerm: (command) => command.name() });
}

/**
 * Adds the commands that a command line needs. Loading takes most of the time of a start, so that is only the one that is
 * named. Without one, what is printed is help or an error, which take no more than names and descriptions.
 *
 * @param word - the first word, if there is one
 */
export async function addNeededCommands(program: BackofficeCommand, word: string | undefined): Promise<void> {
  if (word === 'help') return await addEveryCommand(program);
  const name = word === undefined ? undefined : nounOf(word);
  if (name !== undefined && Object.hasOwn(topLevel, name)) return await loadCommand(program, name);
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [each, { about }] of Object.entries(commands)) program.command(each).description(about);
  }
  await addEpilogue(program);
}

/** Creates the command line with the commands that the words of an unfinished line need. */
async function programFor(words: readonly string[]): Promise<BackofficeCommand> {
  const program = createRoot();
  const takesNext = (flag = '') => program.options.some(({ long, required }) => long === flag && required);
  const isCommand = (word: string, index: number) => !word.startsWith('-') && !takesNext(words[index - 1]);
  await addNeededCommands(program, words.find(isCommand));
  return program;
}

async function addEveryCommand(program: BackofficeCommand): Promise<void> {
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const name of Object.keys(commands)) await loadCommand(program, name);
  }
  await addEpilogue(program);
}

async function loadCommand(program: BackofficeCommand, name: string): Promise<void> {
  const { about = '', load } = topLevel[name] ?? {};
  const declared = await load?.();
  if (declared instanceof Command) {
    finish(declared.description(about), [name]);
    program.addCommand(declared);
  } else if (declared !== undefined) add(program, name, { ...declared, about });
}

const jsonOfMistake = (text: string) =>
  `${JSON.stringify({ error: text.replace(/^error: /, '').trim(), code: 'invalid' })}\n`;

async function addEpilogue(program: BackofficeCommand): Promise<void> {
  const { epilogue } = await import('./epilogue.ts');
  program.addHelpText('after', epilogue());
}
