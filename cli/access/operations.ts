import type { Command } from 'commander';
import type { OperationId } from '../../src/contract/registry.ts';

const operationsOf = new WeakMap<Command, readonly OperationId[]>();

/** Declares which operations a command runs. A test over the registry holds that each operation has its command. */
export function runs<C extends Command>(command: C, ...ids: readonly OperationId[]): C {
  operationsOf.set(command, ids);
  return command;
}

/** Every operation that a command and its subcommands run, with the words that reach it. */
export function reachable(command: Command, words: readonly string[] = []): Map<OperationId, string> {
  const found = new Map<OperationId, string>();
  for (const id of operationsOf.get(command) ?? []) found.set(id, words.join(' '));
  for (const child of command.commands) {
    for (const [id, path] of reachable(child, [...words, child.name()])) found.set(id, path);
  }
  return found;
}
