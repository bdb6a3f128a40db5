import type { Command } from 'commander';
import type { FollowOptions } from '../../src/contract/client/follow.ts';
import type { EventOrGap } from '../../src/contract/events/envelope.ts';
import type { AnsweredId, InputOf, OutputOf } from '../../src/contract/registry.ts';

/** Bytes of a JSON body that every server accepts: its limit is 1 MiB. */
export const maxRequestBytes = 900_000;

/** How a command runs operations: directly on the database, or through a server. Both return the same. */
export interface Access {
  /** @param idempotencyKey - a caller that keeps it can repeat a POST later, which then has no second effect */
  call<Id extends AnsweredId>(id: Id, input?: InputOf<Id>, idempotencyKey?: string): Promise<OutputOf<Id>>;
  /** Writes the JSON text of an answer in pieces, for lists that may be long. */
  stream<Id extends AnsweredId>(
    id: Id,
    input: InputOf<Id>,
    write: (text: string) => Promise<void>,
  ): Promise<void>;
  /** Yields events as they happen, and reconnects when the connection is lost, until the signal aborts. */
  follow(options: FollowOptions): AsyncIterable<EventOrGap>;
}

// What a command line says about its server. Loads nothing, because `--help` reads it too.

/** The colours of the dashboard's header that a context can have. */
export const contextColours = ['red', 'amber', 'green', 'blue', 'violet', 'grey'] as const;

/** What a command line says about the server that it sends commands to. */
export interface Named {
  readonly server?: string | undefined;
  readonly context?: string | undefined;
}

/** Returns what a command line says about the target of a command. */
export function namedTarget(command: Command): Named {
  const { server, context }: Named = command.optsWithGlobals();
  return { server, context };
}

/** Returns after how many milliseconds a command gives up on a request, if its command line says so. */
export function timeLimitOf(command: Command): number | undefined {
  const { timeout }: { timeout?: number } = command.optsWithGlobals();
  return timeout === undefined ? undefined : timeout * 1_000;
}

/** Returns what the command line or else the environment says about the target, if they say something. */
export function askedTarget(named: Named, config: Named): Named | undefined {
  return [named, config].find(({ server, context }) => server !== undefined || context !== undefined);
}
