import { mainVariables } from '../src/main-variables.ts';
import { printableLines } from '../src/shared/text.ts';
import { packageVersion } from '../src/version.ts';
import { groups, loadTopLevel, type TopLevel } from './commands.ts';
import { serverUrl } from './input/arguments.ts';
import { add, addParameters, nounOf } from './verb/build.ts';
import { BackofficeCommand, help } from './verb/command.ts';
import { flag, type Parameters, span, text } from './verb/parameters.ts';

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
    for (const [each, [about]] of Object.entries(commands)) program.command(each).description(about);
  }
  program.addHelpText('after', epilogue());
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
  program.addHelpText('after', epilogue());
}

async function loadCommand(program: BackofficeCommand, name: string): Promise<void> {
  const command = topLevel[name];
  if (command !== undefined)
    add(program, name, { ...(await loadTopLevel(name, command, programFor)), about: command[0] });
}

const jsonOfMistake = (text: string) =>
  `${JSON.stringify({ error: text.replace(/^error: /, '').trim(), code: 'invalid' })}\n`;

/** The meaning of each exit code. `failures.ts` maps errors to them. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'failed'],
  [2, 'wrong usage'],
  [3, 'not found'],
  [4, 'not allowed or not connected'],
  [130, 'stopped by Ctrl-C'],
];

/** Examples for `backoffice --help` and docs/cli.md. */
export const examples = [
  'backoffice issues list --status Open --since 7d',
  'backoffice issues stats --period weekly',
  'backoffice admins create --email grace@example.com --role superadmin',
  'backoffice conversations list --unread --json id,subject,last_message',
];

/** Returns the text below the list of commands in `backoffice --help`. */
export function epilogue(): string {
  const variables = Object.entries(mainVariables);
  const width = Math.max(...variables.map(([name]) => name.length));
  const lines = variables.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
  return `
Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Environment:
${lines.join('\n')}
  docs/cli.md lists the others.

Exit codes:
  ${exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join(', ')}`;
}
