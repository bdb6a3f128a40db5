import { type Argument, Command, type HelpConfiguration, InvalidArgumentError, Option } from 'commander';
import type { Parameter, Parameters } from './parameters.ts';
import type { Paragraphs, Verb } from './verb.ts';

/** What commander calls for a mistake on a command line, which its types leave out. Each ends the command. */
declare module 'commander' {
  interface Command {
    missingArgument(name: string): void;
    unknownOption(flag: string): void;
    unknownCommand(): never;
  }
}

/** A command that keeps the declaration that it is made of. */
export class BackofficeCommand extends Command {
  verb?: Verb;
  /** What its arguments and options take, by their names. */
  parameters: Parameters = {};
  /** Its arguments, also the last of several words, which commander does not know. */
  taken: readonly Argument[] = [];
  /** The text below its options in help: paragraphs, and lines of code. */
  manual: Paragraphs = [];

  declare readonly commands: readonly BackofficeCommand[];
  declare parent: BackofficeCommand | null;

  override createCommand(name?: string): BackofficeCommand {
    return new BackofficeCommand(name);
  }

  /** Hides the aliases from commander, which would suggest one beside the command itself. */
  override alias(): string;
  override alias(name: string): this;
  override alias(name?: string): string | this {
    return name === undefined ? '' : super.alias(name);
  }

  /** Says which option has taken the argument, as `--json` takes 42 in `issues show --json 42`. */
  override missingArgument(name: string): void {
    const given = this.opts();
    const greedy = this.options.find(
      (each) => each.optional && typeof given[each.attributeName()] === 'string',
    );
    const advice =
      greedy === undefined
        ? ''
        : `\n'${given[greedy.attributeName()]}' was taken as the value of ${greedy.long}. Write ${greedy.long} last.`;
    this.error(`error: missing required argument '${name}'${advice}`, { code: 'commander.missingArgument' });
  }

  /** Says how a verb of many rows selects and sets them. */
  override unknownOption(flag: string): void {
    const name = flag.replace(/^--(set-)?/, '');
    const isSet = flag.startsWith('--set-') && Object.hasOwn(this.parameters, name);
    const isSelected = this.parameters.filter?.parts?.includes(name) === true;
    if (!isSet && !isSelected) super.unknownOption(flag);
    const meant = isSet ? `--${name}` : `--filter '${name}:…'`;
    this.error(`error: unknown option '${flag}'\n(Did you mean ${meant}?)`, {
      code: 'commander.unknownOption',
    });
  }

  /** Ends the program because the command has no subcommand of this name. */
  refuse(word: string): never {
    this.args = [word];
    return this.unknownCommand();
  }

  /** Returns what an argument or an option takes. */
  parameterOf(taker: Argument | Option): Parameter | undefined {
    if (taker instanceof Option)
      return this.parameters[taker.attributeName()] ?? this.parent?.parameterOf(taker);
    const words = Object.values(this.parameters).filter(({ place }) => place !== 'option');
    return words[this.taken.indexOf(taker)];
  }

  /** Returns what the user has given to these parameters, by their names. */
  read(parameters: Parameters): Record<string, unknown> {
    const options = this.opts();
    const words = [...this.processedArgs];
    const read = ([name, { place }]: [string, Parameter]) => {
      if (place === 'option') return [name, optionIn(options, name)];
      return [name, place === 'last' ? this.lastWord() : words.shift()];
    };
    return Object.fromEntries(Object.entries(parameters).map(read));
  }

  /** Takes the last word from the several before it. A wrong one is an error like that of any other argument. */
  private lastWord(): unknown {
    const argument = this.taken.at(-1) as Argument;
    const word: string | undefined = this.processedArgs[0]?.pop();
    if (word === undefined) return this.missingArgument(argument.name());
    try {
      return argument.parseArg?.(word, undefined as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      return this.error(
        `error: command-argument value '${word}' is invalid for argument '${argument.name()}'. ${error.message}`,
      );
    }
  }
}

/** Returns the value of an option. `--no-content` is a parameter beside `--content`; commander has both as one value. */
function optionIn(options: Readonly<Record<string, unknown>>, name: string): unknown {
  const [, first, rest] = /^no([A-Z])(\w+)$/.exec(name) ?? [];
  if (first !== undefined) return options[`${first.toLowerCase()}${rest}`] === false || undefined;
  return options[name] === false ? undefined : options[name];
}

/** How help writes commands: by their names alone, because the aliases of a command are in its own help. */
export const help: HelpConfiguration = {
  showGlobalOptions: true,
  visibleArguments: (command) => [...argumentsOf(command)],
  subcommandTerm(command) {
    const options = command.options.length > 0 ? ['[options]'] : [];
    return [command.name(), ...options, ...argumentsOf(command).map(termOf)].join(' ');
  },
  commandUsage: (command) => `${wordsOf(command)} ${command.usage()}`,
};

/** Returns the arguments of a command. */
export function argumentsOf(command: Command): readonly Argument[] {
  const { taken = [] } = command instanceof BackofficeCommand ? command : {};
  return taken.length > 0 ? taken : command.registeredArguments;
}

/** Returns the words of a command, such as `backoffice issues list`. */
export function wordsOf(command: Command): string {
  return command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;
}

/** Returns how an argument is written in a usage: `<id>`, `[id]` or `[id...]`. */
export function termOf(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}
