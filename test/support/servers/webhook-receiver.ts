import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { listenOnLoopback } from './listen.ts';

export interface Arrival {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string | undefined;
}

export type Respond = (response: ServerResponse, arrival: Arrival) => void;

/** A receiver of webhooks that keeps the messages it gets. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** How it answers from now on. The default is 204. */
  respond: Respond;
  /** Resolves when that many messages have arrived. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Returns an answer with that status. */
export const respondWith =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end();

/** Starts a receiver on a free port. */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const { headers, url } = request;
    const body = await text(request).catch(() => undefined);
    // An aborted message has not arrived.
    if (body === undefined) return;
    const arrival = { id: String(headers['webhook-id']), headers, body, url };
    arrivals.push(arrival);
    receiver.respond(response, arrival);
  });
  const port = await listenOnLoopback(server, host);
  const receiver: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks`,
    port,
    arrivals,
    respond: respondWith(204),
    async until(count) {
      await expect.poll(() => arrivals.length, { interval: 5 }).toBeGreaterThanOrEqual(count);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
