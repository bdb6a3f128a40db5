import { Argument, Option } from 'commander';
import { type BackofficeCommand, help, termOf } from './command.ts';
import type { Parameter, Parameters } from './parameters.ts';
import { isNoun, type Manual, type Noun, outputParameters, type Verb } from './verb.ts';

// Makes commander's commands of declarations.

/** Adds the command of a verb, or of a noun with its verbs. What runs a verb is loaded only when it runs. */
export function add(parent: BackofficeCommand, name: string, declared: Verb | Noun): void {
  if (isNoun(declared)) addNoun(parent, name, declared);
  else addVerb(parent, name, declared);
}

function addNoun(parent: BackofficeCommand, name: string, { about = '', example, verbs }: Noun): void {
  const command = parent.command(name);
  describe(command, { about, examples: [example], aliases: aliasesOf(name) });
  for (const [each, declared] of Object.entries(verbs)) add(command, each, declared);
}

function addVerb(parent: BackofficeCommand, name: string, verb: Verb): void {
  const command = parent.command(name, { hidden: verb.isHidden === true });
  const printed = outputParameters(verb);
  command.verb = verb;
  addParameters(command, verb.params);
  // Without options of its own, the group would stand above --help.
  if (command.options.length > 0) command.optionsGroup('Output:');
  addParameters(command, printed);
  describe(command, { ...verb, aliases: [...aliasesOf(name), ...(verb.aliases ?? [])] });
  command.action(async () => await (await import('./run.ts')).run(command, verb));
}

/** Adds arguments and options to a command. */
export function addParameters(command: BackofficeCommand, parameters: Parameters): void {
  command.parameters = { ...command.parameters, ...parameters };
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.place === 'option') command.addOption(optionOf(name, parameter));
    else addArgument(command, argumentOf(name, parameter), parameter.place === 'last');
  }
}

function addArgument(command: BackofficeCommand, argument: Argument, isLast: boolean): void {
  command.taken = [...command.taken, argument];
  if (isLast) command.usage(`[options] ${command.taken.map(termOf).join(' ')}`);
  else command.addArgument(argument);
}

function optionOf(name: string, parameter: Parameter): Option {
  const { about, mayBeBare, choices, parse, fallback, isRequired = false, excludes = [] } = parameter;
  const long = `--${kebab(name)}`;
  const { term = kebab(name) } = parameter;
  const value = term === null ? '' : mayBeBare ? ` [${term}]` : ` <${term}>`;
  const short = shortOptions[long];
  const option = new Option(`${short === undefined ? '' : `${short}, `}${long}${value}`, about);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser(parse);
  return option
    .default(fallback)
    .makeOptionMandatory(isRequired)
    .hideHelp(parameter.isHidden === true)
    .conflicts([...excludes]);
}

function argumentOf(name: string, parameter: Parameter): Argument {
  const { place, about, term, isRequired, choices, parse, fallback } = parameter;
  const shown = `${term ?? kebab(name)}${place === 'words' ? '...' : ''}`;
  const argument = new Argument(isRequired ? `<${shown}>` : `[${shown}]`, about);
  if (choices !== undefined) argument.choices(choices);
  if (fallback !== undefined) argument.default(fallback);
  return parse === undefined ? argument : argument.argParser(parse);
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Adds what people read about a command, and its aliases. */
function describe(command: BackofficeCommand, { about = '', notes, examples, aliases = [] }: Manual): void {
  command
    .description(about)
    .aliases([...aliases])
    .configureHelp(help);
  command.manual = [
    ...(typeof notes === 'string' ? [notes] : (notes ?? [])),
    ...(examples.length === 0 ? [] : [examples.length === 1 ? 'Example:' : 'Examples:', examples]),
    ...(aliases.length === 0 ? [] : [`Aliases: ${aliases.join(', ')}`]),
  ];
  const lines = command.manual.flatMap((part) =>
    typeof part === 'string' ? ['', part] : part.map((line) => `  ${line}`),
  );
  command.addHelpText('after', lines.join('\n'));
}

// Shorter names of commands, the same for all nouns, and the short forms of options. `--help` names those of a command.

/** The short names of the verbs. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  show: ['view'],
  create: ['new'],
  delete: ['rm'],
  remove: ['rm'],
  revoke: ['rm'],
  unset: ['rm'],
};

/** The singular of each noun, and its usual abbreviation. */
const nouns: Readonly<Record<string, readonly string[]>> = {
  issues: ['issue'],
  conversations: ['conversation', 'conv'],
  changes: ['change'],
  labels: ['label'],
  comments: ['comment'],
  'saved-replies': ['saved-reply'],
  settings: ['setting'],
  admins: ['admin'],
  context: ['contexts', 'ctx'],
  sessions: ['session'],
  invitations: ['invitation'],
  tokens: ['token'],
  visitors: ['visitor'],
  secrets: ['secret'],
  events: ['event'],
  webhooks: ['webhook'],
  prices: ['price'],
  budget: ['budgets'],
};

export const shortOptions: Readonly<Record<string, string>> = {
  '--assignee': '-a',
  '--dry-run': '-n',
  '--limit': '-L',
  '--quiet': '-q',
  '--search': '-S',
  '--status': '-s',
  '--web': '-w',
  '--yes': '-y',
};

/** Returns the name of the top-level command that a word calls; the word itself if it is none. */
export function nounOf(word: string): string {
  return Object.keys(nouns).find((noun) => nouns[noun]?.includes(word)) ?? word;
}

/** Returns the other names of a noun or a verb. */
export const aliasesOf = (name: string): readonly string[] => [
  ...(verbs[name] ?? []),
  ...(nouns[name] ?? []),
];
