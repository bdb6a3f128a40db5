import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { packageVersion } from '../../version.ts';

/** One message, as it is sent. */
export interface WebhookMessage {
  readonly url: string;
  /** The same in each attempt. */
  readonly id: string;
  readonly body: string;
  /** Each signs; the receiver needs to know one of them. */
  readonly secrets: readonly string[];
}

/**
 * Posts a message, signed after https://www.standardwebhooks.com, on a connection of its own.
 *
 * @param options - `lookup` finds the address of a name
 * @returns the answer, with its body unread
 * @throws what the connection throws; the signal's reason when it aborts
 */
export async function post(
  { url, id, body, secrets }: WebhookMessage,
  options: { lookup: LookupFunction | undefined; signal: AbortSignal },
): Promise<IncomingMessage> {
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': `Backoffice/${packageVersion()}`,
    'webhook-id': id,
    'webhook-timestamp': Math.floor(now.getTime() / 1000),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
  return await new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    // No agent: a connection that is kept would outlive the look at its address.
    const request = send(url, { method: 'POST', headers, agent: false, ...options });
    request.once('response', resolve);
    request.on('error', reject);
    // An answer that switches protocols ends the request without either.
    request.once('close', () => reject(new Error('The connection was closed.')));
    request.end(body);
  });
}
