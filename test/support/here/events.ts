import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import { type FollowOptions, followEvents, readEventStream } from '../../../src/contract/client/follow.ts';
import type { EventOrGap } from '../../../src/contract/events/envelope.ts';

/** Follows the events from now on, or from after an event, and keeps what it receives. Resolves when connected. */
export async function follow(client: Pick<Client, 'request'>, options: Omit<FollowOptions, 'signal'> = {}) {
  const stopping = new AbortController();
  const received: EventOrGap[] = [];
  let connections = 0;
  const onConnect = () => {
    connections++;
  };
  const read = async () => {
    for await (const item of followEvents(client, { ...options, onConnect, signal: stopping.signal }))
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

  await Promise.race([failed, expect.poll(() => connections, { interval: 5 }).toBeGreaterThan(0)]);
  return {
    received,
    /** How many times it has connected. */
    get connections() {
      return connections;
    },
    /** Resolves when it has received a matching event, or that many events. Rejects if its stream ends first. */
    async until(wanted: number | ((event: EventOrGap) => boolean)) {
      const isReceived = () =>
        typeof wanted === 'number' ? received.length >= wanted : received.some(wanted);
      await Promise.race([failed, expect.poll(isReceived, { interval: 5 }).toBe(true)]);
    },
    /** Resolves with the error that ended the stream, or with undefined after `stop`. */
    ended,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * Follows the events as the `EventSource` of browsers does: reconnects after a stream that has ended and after an error of
 * the network, with the last id, and gives up for good after any response that is not a stream.
 */
export function followAsBrowser(url: string, headers: Readonly<Record<string, string>>, after: number) {
  const stopping = new AbortController();
  const received: number[] = [];
  let lastId = String(after);
  let connections = 0;

  async function connect(): Promise<number | undefined> {
    const response = await fetch(`${url}/api/admin/events`, {
      headers: { ...headers, accept: 'text/event-stream', 'last-event-id': lastId },
      signal: stopping.signal,
    }).catch(() => null);
    if (response === null) return undefined;
    const type = response.headers.get('content-type');
    if (response.status !== 200 || type !== 'text/event-stream; charset=utf-8' || response.body === null)
      throw new Error(`An EventSource gives up after ${response.status}: ${await response.text()}`);
    connections++;
    let delayMs: number | undefined;
    try {
      for await (const { id, data, retry } of readEventStream(response.body, 60_000)) {
        delayMs = retry ?? delayMs;
        lastId = id ?? lastId;
        if (data !== undefined) received.push(Number(id));
      }
    } catch {
      // An error of the network.
    }
    return delayMs;
  }

  const following = (async () => {
    let delayMs = 1_000;
    while (!stopping.signal.aborted) {
      delayMs = (await connect()) ?? delayMs;
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  following.catch(() => {});

  return {
    received,
    get connections() {
      return connections;
    },
    /** Resolves when it has received that event. Rejects if it has given up. */
    async until(id: number) {
      await Promise.race([
        following,
        expect.poll(() => received.includes(id), { interval: 20, timeout: 60_000 }).toBe(true),
      ]);
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
