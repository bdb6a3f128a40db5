import type { Argument, Option } from 'commander';
import type { Named } from '../access/access.ts';
import { argumentsOf, type BackofficeCommand } from '../verb/command.ts';
import type { Candidate, Source } from '../verb/parameters.ts';
import type { Verb } from '../verb/verb.ts';

/** What may come at the cursor: known words, files, or values that must be looked up in the data. */
export type Suggestion =
  | { readonly kind: 'values'; readonly values: readonly Candidate[] }
  | { readonly kind: 'files' }
  | {
      readonly kind: 'fields';
      /** The verb whose output has the fields. */
      readonly verb: Verb;
      readonly prefix: string;
      /** The fields before the cursor. */
      readonly given: readonly string[];
    }
  | {
      readonly kind: 'lookup';
      readonly source: Exclude<Source, 'files'>;
      /** The part of the word in front of the value, `--category=`. */
      readonly prefix: string;
      /** What the line says about the server. */
      readonly named: Named;
    };

/**
 * Suggests what can come next on a command line. It follows the words through the tree of commands as commander does.
 *
 * @param words - the words between the name of the program and the word under the cursor, without quotes
 * @param current - the typed part of the word under the cursor
 */
export function suggest(program: BackofficeCommand, words: readonly string[], current: string): Suggestion {
  const place: Place = {
    command: program,
    waiting: undefined,
    operands: 0,
    optionsEnded: false,
    given: new Map(),
  };
  for (const word of words) step(place, word);
  const { command, waiting, operands, optionsEnded } = place;
  const named: Named = { server: place.given.get('server'), context: place.given.get('context') };

  if (waiting !== undefined && (waiting.required || !current.startsWith('-'))) {
    return valuesOf(waiting, { command, prefix: '', typed: current, named });
  }
  if (current.startsWith('-') && !optionsEnded) {
    const [flag = '', ...value] = current.split('=');
    const option = value.length > 0 ? findOption(command, flag) : undefined;
    return option === undefined
      ? options(place)
      : valuesOf(option, { command, prefix: `${flag}=`, typed: value.join('='), named });
  }
  const subcommands = command.createHelp().visibleCommands(command);
  if (command.commands.length > 0 && operands === 0) {
    return values(subcommands.map((each) => ({ value: each.name(), description: each.description() })));
  }
  const taken = argumentsOf(command);
  const last = taken.at(-1);
  const argument = taken[operands] ?? (taken.some(({ variadic }) => variadic) ? last : undefined);
  if (argument !== undefined) return valuesOf(argument, { command, prefix: '', typed: current, named });
  return optionsEnded ? values([]) : options(place);
}

interface Place {
  command: BackofficeCommand;
  /** The option whose value comes next. */
  waiting: Option | undefined;
  /** How many arguments of the command are typed already. */
  operands: number;
  /** Whether `--` is typed already. */
  optionsEnded: boolean;
  /** The options that are typed already, and their values. */
  given: Map<string, string | undefined>;
}

function step(place: Place, word: string): void {
  const { command, waiting, optionsEnded } = place;
  const isFlag = !optionsEnded && word.length > 1 && word.startsWith('-');
  place.waiting = undefined;
  if (waiting !== undefined && (waiting.required || !isFlag)) {
    place.given.set(waiting.name(), word);
    return;
  }
  if (isFlag) {
    if (word === '--') place.optionsEnded = true;
    else takeFlag(place, word);
    return;
  }
  const child =
    place.operands === 0
      ? command.commands.find((each) => each.name() === word || each.aliases().includes(word))
      : undefined;
  if (child === undefined) place.operands += 1;
  else place.command = child;
}

function takeFlag(place: Place, word: string): void {
  const [flag = '', ...value] = word.split('=');
  const option = findOption(place.command, flag);
  if (option === undefined) return;
  place.given.set(option.name(), value.length > 0 ? value.join('=') : undefined);
  if (value.length === 0 && (option.required || option.optional)) place.waiting = option;
}

/** Finds the option of a flag, also among those of the parent commands. */
function findOption(command: BackofficeCommand, flag: string): Option | undefined {
  return allOptions(command).find(({ long, short }) => long === flag || short === flag);
}

/** Returns the command's own options, then those of its parents. */
function allOptions(command: BackofficeCommand): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

/** Suggests the options that are not typed yet. */
function options({ command, given }: Place): Suggestion {
  const left = allOptions(command).filter((option) => option.variadic || !given.has(option.name()));
  return values(left.map(({ long, short, description }) => ({ value: long ?? short ?? '', description })));
}

/** Where a value is typed. */
interface Gap {
  readonly command: BackofficeCommand;
  /** What stands before the value in its word: `--status=`. */
  readonly prefix: string;
  readonly typed: string;
  readonly named: Named;
}

/** The options that take fields of what the command prints. */
const fieldOptions = ['json', 'jsonl', 'columns'];

function valuesOf(taker: Argument | Option, { command, prefix, typed, named }: Gap): Suggestion {
  const parameter = command.parameterOf(taker);
  const { verb } = command;
  const takesFields = fieldOptions.includes(taker.name());
  const given = takesFields || parameter?.isSeveral ? typed.split(',').slice(0, -1) : [];
  const before = `${prefix}${given.map((each) => `${each},`).join('')}`;
  if (takesFields && verb !== undefined) return { kind: 'fields', verb, prefix: before, given };
  if (taker.argChoices !== undefined) {
    const left = taker.argChoices.filter((choice) => !given.includes(choice));
    return values(left.map((choice) => ({ value: `${before}${choice}` })));
  }
  const source = parameter?.source;
  if (source === undefined) return values([]);
  return source === 'files' ? { kind: 'files' } : { kind: 'lookup', source, prefix: before, named };
}

function values(found: readonly Candidate[]): Suggestion {
  return { kind: 'values', values: found };
}
