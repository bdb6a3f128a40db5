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
