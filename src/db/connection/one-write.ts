import type { Writable } from 'node:stream';
import type pg from 'pg';

/** What `pg` has and its types lack. */
interface WithStream {
  readonly connection: { readonly stream: Writable };
}

/**
 * Sends what is queried on a connection from now until the code waits for something, all in one write: each write costs
 * the service and the server a system call and a switch. For connections that send statements without waiting for answers.
 */
export function sendTogether(client: pg.ClientBase): void {
  const { stream } = (client as unknown as WithStream).connection;
  stream.cork();
  // The next tick is after the callbacks of all promises that are already settled.
  process.nextTick(() => stream.uncork());
}
