import type { Command } from 'commander';

/** Returns every command, at every level, with the words that call it. */
export function everyCommand(
  command: Command,
  words: readonly string[] = [],
): [words: string, command: Command][] {
  return [
    [words.join(' '), command],
    ...command.commands.flatMap((child) => everyCommand(child, [...words, child.name()])),
  ];
}
