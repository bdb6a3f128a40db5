import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { packageVersion } from '../../version.ts';

export interface WebhookMessage {
  readonly url: string;
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
  /** Each signs the message; the receiver needs to know only one. */
  readonly secrets: readonly string[];
}

/**
 * Posts a message, signed after https://www.standardwebhooks.com, on its own connection. Returns the response with its
 * body unread. Throws the error of the connection, or the signal's reason when it aborts.
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
    // No agent, because a connection that is kept alive would skip the next check of the address.
    const request = send(url, { method: 'POST', headers, agent: false, ...options });
    request.once('response', resolve);
    request.on('error', reject);
    // A response that switches protocols closes the request without a response or an error.
    request.once('close', () => reject(new Error('The connection was closed.')));
    request.end(body);
  });
}
