import type { Command, Option } from 'commander';

/** Returns the words of a command line that are the program's own: commands and options. All others become `<value>`. */
export function safeCommand(program: Command, words: readonly string[]): string {
  const shown = [program.name()];
  let command: Command = program;
  let isValue: boolean = false;
  for (const word of words) {
    const flag: string | undefined = word.startsWith('-') && !isValue ? word.split('=', 1)[0] : undefined;
    const option: Option | undefined = flag === undefined ? undefined : findOption(command, flag);
    const child: Command | undefined = isValue ? undefined : findCommand(command, word);
    if (option !== undefined) {
      const hasValue = word.includes('=');
      shown.push(`${option.long ?? option.short}${hasValue ? '=<value>' : ''}`);
      isValue = option.required && !hasValue;
      continue;
    }
    isValue = false;
    if (child !== undefined) command = child;
    shown.push(child === undefined ? '<value>' : child.name());
  }
  return shown.join(' ');
}

function findCommand(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word));
}

function findOption(command: Command, flag: string): Option | undefined {
  const own = command.options.find(({ long, short }) => long === flag || short === flag);
  return own ?? (command.parent === null ? undefined : findOption(command.parent, flag));
}
