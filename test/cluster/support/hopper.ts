import { setTimeout as pause } from 'node:timers/promises';
import { type Client, ResponseError } from '../../../src/contract/client/client.ts';
import { until } from './machine.ts';

export interface Hopper {
  readonly received: number[];
  readonly connections: number;
  /** Resolves when the given event has been received, and ends the hopping. */
  finish(lastId: number): Promise<void>;
}

/**
 * Follows the events on one instance after the other, for a second or two on each, and resumes after the last event that
 * arrived.
 */
export function hop(clients: readonly Client[]): Hopper {
  const received: number[] = [];
  let connections = 0;
  let finished = false;

  async function followFor(client: Client, ms: number): Promise<void> {
    const signal = AbortSignal.timeout(ms);
    const onConnect = () => void connections++;
    for await (const { id } of client.follow({ after: received.at(-1) ?? 0, onConnect, signal }))
      received.push(id);
  }

  const hopping = (async () => {
    for (let turn = 0; !finished; turn++) {
      const client = clients[turn % clients.length] as Client;
      const ms = Math.round(1_000 + Math.random() * 1_000);
      await followFor(client, ms).catch(async (error: unknown) => {
        // While the database is away, a stream does not start.
        if (!(error instanceof ResponseError) || error.status < 500) throw error;
        await pause(200);
      });
    }
  })();
  hopping.catch(() => {});

  return {
    received,
    get connections() {
      return connections;
    },
    async finish(lastId) {
      await until(
        `the follower that changes its instance receives event ${lastId}`,
        () => (received.at(-1) ?? 0) >= lastId,
      );
      finished = true;
      await hopping;
    },
  };
}
