import type { Argument, Option } from 'commander';
import type { Named } from '../access/access.ts';
import { argumentsOf, type BackofficeCommand } from '../verb/command.ts';
import type { Candidate, Source } from '../verb/parameters.ts';
import type { Verb } from '../verb/verb.ts';

/** What may come at the cursor. */
interface Offer {
  /** Known words, the verb whose output has the fields, or where the values are found. */
  readonly from: readonly Candidate[] | Verb | Source;
  /** The part of the word in front of the value: `--category=`, `Open,`. */
  readonly prefix: string;
  /** The values in that part, which may not come again. */
  readonly given: readonly string[];
}

export interface Suggestion extends Offer {
  /** What the line says about the server. */
  readonly named: Named;
}

/**
 * Suggests what can come next on a command line. It follows the words through the tree of commands as commander does.
 *
 * @param words - the words between the name of the program and the word under the cursor, without quotes
 * @param current - the typed part of the word under the cursor
 */
export function suggest(program: BackofficeCommand, words: readonly string[], current: string): Suggestion {
  const place = placeAfter(program, words);
  const { options } = place;
  return {
    ...offerAt(place, current),
    named: { server: options.get('server'), context: options.get('context') },
  };
}

function offerAt(place: Place, current: string): Offer {
  const { command, waiting, operands, optionsEnded } = place;
  if (waiting !== undefined && (waiting.required || !current.startsWith('-')))
    return valuesOf(command, waiting, current);
  if (current.startsWith('-') && !optionsEnded) {
    const [flag, value] = splitFlag(current);
    const option = value === undefined ? undefined : findOption(command, flag);
    return option === undefined ? optionsLeft(place) : valuesOf(command, option, value, `${flag}=`);
  }
  if (command.commands.length > 0 && operands === 0) {
    const subcommands = command.createHelp().visibleCommands(command);
    return words(subcommands.map((each) => ({ value: each.name(), description: each.description() })));
  }
  const taken = argumentsOf(command);
  const argument = taken[operands] ?? (taken.some(({ variadic }) => variadic) ? taken.at(-1) : undefined);
  if (argument !== undefined) return valuesOf(command, argument, current);
  return optionsEnded ? words([]) : optionsLeft(place);
}

/** Where on a command line a word comes. */
interface Place {
  readonly command: BackofficeCommand;
  /** The option whose value comes next. */
  readonly waiting: Option | undefined;
  /** How many arguments of the command are typed already. */
  readonly operands: number;
  /** Whether `--` is typed already. */
  readonly optionsEnded: boolean;
  /** The options that are typed already, and their values. */
  readonly options: ReadonlyMap<string, string | undefined>;
}

function placeAfter(program: BackofficeCommand, words: readonly string[]): Place {
  let command = program;
  let waiting: Option | undefined;
  let operands = 0;
  let optionsEnded = false;
  const options = new Map<string, string | undefined>();
  for (const word of words) {
    const isFlag = !optionsEnded && word.length > 1 && word.startsWith('-');
    const before = waiting;
    waiting = undefined;
    if (before !== undefined && (before.required || !isFlag)) options.set(before.name(), word);
    else if (isFlag && word === '--') optionsEnded = true;
    else if (isFlag) {
      const [flag, value] = splitFlag(word);
      const option = findOption(command, flag);
      if (option !== undefined) options.set(option.name(), value);
      if (value === undefined && (option?.required || option?.optional)) waiting = option;
    } else {
      const isCalled = (each: BackofficeCommand) => each.name() === word || each.aliases().includes(word);
      const child = operands === 0 ? command.commands.find(isCalled) : undefined;
      if (child === undefined) operands += 1;
      else command = child;
    }
  }
  return { command, waiting, operands, optionsEnded, options };
}

/** Splits `--status=Open` into the flag and its value, if it has one. */
function splitFlag(word: string): [flag: string, value?: string] {
  const end = word.indexOf('=');
  return end === -1 ? [word] : [word.slice(0, end), word.slice(end + 1)];
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

/** Offers the options that are not typed yet. */
function optionsLeft({ command, options }: Place): Offer {
  const left = allOptions(command).filter((option) => option.variadic || !options.has(option.name()));
  return words(left.map(({ long, short, description }) => ({ value: long ?? short ?? '', description })));
}

const words = (from: readonly Candidate[]): Offer => ({ from, prefix: '', given: [] });

/** The options that take fields of what the command prints. */
const fieldOptions = ['json', 'jsonl', 'columns'];

/**
 * Offers the values of an argument or option.
 *
 * @param flag - what stands before the value in its word: `--status=`
 */
function valuesOf(command: BackofficeCommand, taker: Argument | Option, typed = '', flag = ''): Offer {
  const parameter = command.parameterOf(taker);
  const verb = fieldOptions.includes(taker.name()) ? command.verb : undefined;
  const given = verb !== undefined || parameter?.isSeveral ? typed.split(',').slice(0, -1) : [];
  const prefix = `${flag}${given.map((each) => `${each},`).join('')}`;
  const choices = taker.argChoices?.map((value) => ({ value }));
  return { from: verb ?? choices ?? parameter?.source ?? [], prefix, given };
}
