import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { readEventStream } from '../../../src/contract/client/event-stream.ts';

/** What a browser's `EventSource` has received. */
export interface BrowserFollower {
  readonly received: number[];
  readonly connections: number;
  /** Resolves when it has received that event. Rejects if it has given up. */
  until(id: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Follows the events as the `EventSource` of browsers does: reconnects after a stream that has ended and after an error of
 * the network, with the last id, and gives up for good after any response that is not a stream.
 */
export function followAsBrowser(
  url: string,
  headers: Readonly<Record<string, string>>,
  after: number,
): BrowserFollower {
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
    async until(id) {
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
