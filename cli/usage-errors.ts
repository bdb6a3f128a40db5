import type { Command } from 'commander';

/** What commander calls for mistakes on a command line. Each ends the command. */
interface Mistakes {
  missingArgument(name: string): void;
  unknownOption(flag: string): void;
  /** Refuses the first of `args`, and suggests the command that was probably meant. */
  unknownCommand(): never;
}

/** Lets the errors of a command say what was probably meant. */
export function explainMistakes(command: Command): void {
  const mistakes = command as Command & Mistakes;
  const unknownOption = mistakes.unknownOption.bind(command);
  mistakes.missingArgument = (name) => {
    const code = 'commander.missingArgument';
    command.error(`error: missing required argument '${name}'${takenInstead(command)}`, { code });
  };
  mistakes.unknownOption = (flag) => {
    // `issues update` has --set-title, because --title would select issues.
    const setter = flag.replace(/^--/, '--set-');
    if (!command.options.some(({ long }) => long === setter)) return unknownOption(flag);
    const code = 'commander.unknownOption';
    command.error(`error: unknown option '${flag}'\n(Did you mean ${setter}?)`, { code });
  };
}

/** Ends the program because a command has no subcommand of this name. */
export function refuseCommand(command: Command, word: string): never {
  command.args = [word];
  return (command as Command & Mistakes).unknownCommand();
}

/** Says which option has taken the argument, as `--json` takes 42 in `issues show --json 42`. */
function takenInstead(command: Command): string {
  const values = command.opts();
  const greedy = command.options.find(
    (option) => option.optional && typeof values[option.attributeName()] === 'string',
  );
  if (greedy === undefined) return '';
  const { long } = greedy;
  return `\n'${values[greedy.attributeName()]}' was taken as the value of ${long}. Write ${long} last.`;
}
