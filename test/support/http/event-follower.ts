import { expect } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import type { FollowOptions } from '../../../src/contract/client/follow.ts';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';

/** A client that follows the events and keeps what it receives. */
export interface Follower {
  readonly received: EventOrGap[];
  /** How many times it has connected. */
  readonly connections: number;
  /** Resolves when it has received a matching event, or that many events. Rejects if its stream ends first. */
  until(wanted: number | ((event: EventOrGap) => boolean)): Promise<void>;
  /** Resolves with the error that ended the stream, or with undefined after `stop`. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Follows the events from now on, or from after an event. Resolves when connected. */
export async function follow(
  client: Pick<Client, 'follow'>,
  options: Omit<FollowOptions, 'signal'> = {},
): Promise<Follower> {
  const stopping = new AbortController();
  const received: EventOrGap[] = [];
  let connections = 0;
  const onConnect = () => {
    connections++;
  };
  const read = async () => {
    for await (const item of client.follow({ ...options, onConnect, signal: stopping.signal }))
      received.push(item);
  };
  const ended = read().then(
    () => undefined,
    (error: unknown) => error,
  );
  const failed = ended.then((error) => {
    throw error ?? new Error('The stream has ended.');
  });
  failed.catch(() => {});

  const follower: Follower = {
    received,
    get connections() {
      return connections;
    },
    async until(wanted) {
      const isReceived = () =>
        typeof wanted === 'number' ? received.length >= wanted : received.some(wanted);
      await Promise.race([failed, expect.poll(isReceived, { interval: 5 }).toBe(true)]);
    },
    ended,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
  await Promise.race([failed, expect.poll(() => connections, { interval: 5 }).toBeGreaterThan(0)]);
  return follower;
}
