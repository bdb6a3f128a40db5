import type { BackofficeCommand } from '../../../cli/verb/command.ts';

/** Returns every command, at every level, with the words that call it. */
export function everyCommand(
  command: BackofficeCommand,
  words: readonly string[] = [],
): [words: string, command: BackofficeCommand][] {
  return [
    [words.join(' '), command],
    ...command.commands.flatMap((child) => everyCommand(child, [...words, child.name()])),
  ];
}

/** Returns the operations that a command runs. */
export const operationsOf = ({ verb }: BackofficeCommand) => verb?.operations ?? [];
