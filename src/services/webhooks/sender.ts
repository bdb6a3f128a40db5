import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorCode } from '../../shared/errors.ts';
import { inSpan } from '../../shared/tracing.ts';
import { atMost } from '../../shared/waiting.ts';
import { packageVersion } from '../../version.ts';
import { hasPrivateHost, PrivateAddressError, publicLookup } from './private-addresses.ts';

interface WebhookMessage {
  readonly url: string;
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
  /** Each signs the message; the receiver needs to know only one. */
  readonly secrets: readonly string[];
}

/** The outcome of one attempt. */
export interface WebhookResponse {
  readonly status: number | null;
  /** The first bytes of the body. */
  readonly body: string | null;
  /** Why the attempt failed, in a sentence; null if it succeeded. */
  readonly error: string | null;
  readonly retryAfter: string | undefined;
  readonly durationMs: number;
}

/** Sends messages as POST requests after https://www.standardwebhooks.com, without following redirects. */
export type WebhookSender = ReturnType<typeof createWebhookSender>;

interface SenderOptions {
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
  readonly resolve?: LookupFunction;
}

/** Shorter than the deadline of a request, because `webhooks.test` sends within one. */
const defaultTimeoutMs = 8_000;
const maxBodyBytes = 1_024;
/** How long the body may take once the status has arrived. */
const bodyTimeoutMs = 1_000;

export function createWebhookSender(options: SenderOptions) {
  const { allowPrivate, timeoutMs = defaultTimeoutMs, resolve } = options;
  const lookup = allowPrivate ? resolve : publicLookup(resolve);
  /** Reports whether the text of the URL alone rules it out. The addresses of a host name are checked at each request. */
  const refuses = (url: string) => !allowPrivate && hasPrivateHost(new URL(url));

  /** Sends a message once. A failure of the receiver is a response too. Throws the signal's reason when it aborts. */
  async function send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookResponse> {
    // Not the whole URL, which may have a secret of the receiver in it.
    const attributes = { 'http.request.method': 'POST', 'server.address': new URL(message.url).hostname };
    return await inSpan({ name: 'send webhook', kind: 'client', attributes }, async (span) => {
      const start = performance.now();
      const found = await attempt(message, signal);
      const response = { ...noResponse, ...found, durationMs: Math.round(performance.now() - start) };
      if (response.status !== null) span?.set({ 'http.response.status_code': response.status });
      if (response.error !== null) span?.fail();
      return response;
    });
  }

  async function attempt(
    message: WebhookMessage,
    signal: AbortSignal | undefined,
  ): Promise<Partial<WebhookResponse>> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      if (refuses(message.url)) throw new PrivateAddressError();
      const either = AbortSignal.any(signal === undefined ? [timeout] : [timeout, signal]);
      const response = await post(message, { lookup, signal: either });
      const status = response.statusCode ?? 0;
      const retryAfter = response.headers['retry-after'];
      return { status, retryAfter, error: statusError(status), body: await readBodyStart(response) };
    } catch (error) {
      signal?.throwIfAborted();
      const timeoutError = `No response within ${timeoutMs / 1000} seconds.`;
      return { error: timeout.aborted ? timeoutError : connectionError(error) };
    }
  }

  return { refuses, send };
}

const noResponse = { status: null, body: null, error: null, retryAfter: undefined };

/** Posts a signed message on its own connection. Returns the response with its body unread. */
async function post(
  { url, id, body, secrets }: WebhookMessage,
  options: { lookup: LookupFunction | undefined; signal: AbortSignal },
): Promise<IncomingMessage> {
  // Imported on demand: only one command sends, and the import would slow the start of all others.
  const { Webhook } = await import('standardwebhooks');
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

/** Reads as much of the body as the log keeps. A body that does not end, or breaks off, does not change the outcome. */
async function readBodyStart(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  const read = async () => {
    let bytes = 0;
    for await (const piece of response) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= maxBodyBytes) break;
    }
  };
  await atMost(
    bodyTimeoutMs,
    read().catch(() => {}),
  );
  response.destroy();
  // Postgres accepts every character but NUL.
  return Buffer.concat(pieces).subarray(0, maxBodyBytes).toString().replaceAll('\0', '\uFFFD');
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The receiver answered ${status}. Redirects are not followed.`
    : `The receiver answered ${status}.`;
}

const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'Connection closed by the receiver.',
  EPIPE: 'Connection closed by the receiver.',
  EHOSTUNREACH: 'Host unreachable.',
  ENETUNREACH: 'Network unreachable.',
  ENOTFOUND: 'Host not found.',
  EAI_AGAIN: 'DNS lookup failed.',
};

/** Returns a sentence that says why there was no response. */
function connectionError(error: unknown): string {
  if (error instanceof PrivateAddressError) {
    return 'The host has a private address. Set BACKOFFICE_WEBHOOK_ALLOW_PRIVATE=1 to allow it.';
  }
  const code = errorCode(error) ?? '';
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP.';
  if (/CERT|SIGNATURE|TLS|SSL/.test(code)) return `The TLS certificate is not trusted (${code}).`;
  return connectionErrors[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`;
}
