import type { Command } from 'commander';
import type { OperationId } from '../../src/contract/registry.ts';

const operationIds = new WeakMap<Command, readonly OperationId[]>();

/** Declares the operations that a command runs. Tests check that each operation of the registry has a command. */
export function runs<C extends Command>(command: C, ...ids: readonly OperationId[]): C {
  operationIds.set(command, ids);
  return command;
}

/** Returns the operations that a command runs. */
export function operationsOf(command: Command): readonly OperationId[] {
  return operationIds.get(command) ?? [];
}
