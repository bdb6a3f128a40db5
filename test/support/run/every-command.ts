import type { Command } from 'commander';
import { operationsOf as operationsOfUnconverted } from '../../../cli/access/operations.ts';
import { BackofficeCommand } from '../../../cli/verb/command.ts';
import type { OperationId } from '../../../src/contract/registry.ts';

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

/** Returns the operations that a command runs. */
export function operationsOf(command: Command): readonly OperationId[] {
  const verb = command instanceof BackofficeCommand ? command.verb : undefined;
  return verb?.operations ?? operationsOfUnconverted(command);
}
