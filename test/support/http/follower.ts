import { expect } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import type { FollowOptions } from '../../../src/contract/client/follow.ts';
import type { EventOrGap } from '../../../src/contract/operations/events.ts';

/** A client that follows the events and notes what it is told. */
export interface Follower {
  readonly news: EventOrGap[];
  /** How often it has connected. */
  readonly connections: number;
  /** Resolves when it has been told what is wanted, or so many news; rejects when its stream ends before. */
  until(wanted: number | ((news: EventOrGap) => boolean)): Promise<void>;
  /** How the stream ended: undefined where it was stopped. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Follows from now on, or after an event; resolves when it is connected. */
export async function follow(
  client: Pick<Client, 'follow'>,
  options: Omit<FollowOptions, 'signal'> = {},
): Promise<Follower> {
  const stopping = new AbortController();
  const news: EventOrGap[] = [];
  let connections = 0;
  const onConnect = () => {
    connections++;
  };
  const read = async () => {
    for await (const item of client.follow({ ...options, onConnect, signal: stopping.signal }))
      news.push(item);
  };
  const ended = read().then(
    () => undefined,
    (error: unknown) => error,
  );
  const isOver = ended.then((error) => {
    throw error ?? new Error('The stream has ended.');
  });
  isOver.catch(() => {});

  const follower: Follower = {
    news,
    get connections() {
      return connections;
    },
    async until(wanted) {
      const isThere = () => (typeof wanted === 'number' ? news.length >= wanted : news.some(wanted));
      await Promise.race([isOver, expect.poll(isThere, { interval: 5 }).toBe(true)]);
    },
    ended,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
  await Promise.race([isOver, expect.poll(() => connections, { interval: 5 }).toBeGreaterThan(0)]);
  return follower;
}
