import type { BackgroundChange } from '../../contract/background-changes.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/registry.ts';
import type { EventType } from '../../contract/vocabulary.ts';
import type { Origin } from '../../db/outbox/record-changes.ts';
import type { Actor } from './actor.ts';

/** What a change needs to know of its call. A command has no address and no deadline. */
export interface CallOfChange {
  readonly address?: string;
  /** Aborts when the caller has received a timeout error. Nothing is changed after that. */
  readonly signal?: AbortSignal;
  /** Returns how long it takes at least until the signal aborts. Without it, that may be at any moment. */
  readonly timeLeftMs?: (() => number) | undefined;
}

/** An operation, or work in the background, that changes data. */
export type ChangingOperation = Pick<Operation<OperationId | BackgroundChange>, 'id' | 'changes'>;

/** @throws Error if the operation does not declare that it changes such rows */
export function checkDeclared({ id, changes }: ChangingOperation, event: EventType): void {
  if (!changes?.includes(event)) throw new Error(`${id} does not declare ${event}.`);
}

/** Returns what is recorded of who makes a change. */
export function originOf({ kind, id, name, door }: Actor, { address = '' }: CallOfChange): Origin {
  return { kind, id, name, door, address };
}
