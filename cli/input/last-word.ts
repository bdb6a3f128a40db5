import { type Argument, type Command, InvalidArgumentError } from 'commander';

/** The last argument of the commands that have one after a variadic argument, which commander cannot declare. */
const lastArguments = new WeakMap<Command, Argument>();

/** Declares that the last word of a command's variadic argument is another argument: `set-status 1 2 3 Closed`. */
export function endsWith<C extends Command>(command: C, last: Argument): C {
  lastArguments.set(command, last);
  return command.usage(`[options] [${command.registeredArguments[0]?.name()}...] <${last.name()}>`) as C;
}

/** Returns the arguments of a command, for its help, its documentation and completion. */
export function argumentsOf(command: Command): readonly Argument[] {
  const last = lastArguments.get(command);
  return last === undefined ? command.registeredArguments : [...command.registeredArguments, last];
}

/** Returns how an argument is written in a usage: `<id>`, `[id]` or `[id...]`. */
export function termOf(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Splits the words of such a command. A wrong last word is an error like that of any other argument. */
export function splitLast(command: Command, words: readonly string[]): { others: string[]; last: string } {
  const argument = lastArguments.get(command);
  const given = words.at(-1);
  if (argument === undefined || given === undefined)
    return command.error(`error: missing required argument '${argument?.name()}'`);
  try {
    return {
      others: words.slice(0, -1),
      last: argument.parseArg?.(given, undefined as never) as unknown as string,
    };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(
      `error: command-argument value '${given}' is invalid for argument '${argument.name()}'. ${error.message}`,
    );
  }
}
