import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isPlainlyPrivate, PrivateAddressError, publicLookup } from './address.ts';
import type { WebhookMessage } from './request.ts';

/** What came back. */
export interface WebhookAnswer {
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** The beginning of the body. */
  readonly body: string | null;
  /** Why it failed, in a sentence; null where it succeeded. */
  readonly error: string | null;
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** Milliseconds. */
  readonly duration: number;
}

/** What sends: a POST after https://www.standardwebhooks.com that follows no redirect. */
export interface WebhookSender {
  /** Whether the very text of a URL says that nothing is sent there. Where a name leads is looked at with each request. */
  refuses(url: string): boolean;
  /**
   * Sends a message once and waits for the answer. Whatever goes wrong with the receiver is an answer too.
   *
   * @throws the signal's reason when it aborts
   */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookAnswer>;
}

export interface SenderOptions {
  /** Whether private addresses may be sent to. */
  readonly allowPrivate: boolean;
  /** Milliseconds until an attempt ends. */
  readonly patience?: number;
  /** Finds the addresses of a name. */
  readonly resolve?: LookupFunction;
}

/** Shorter than the deadline of a request, which a test of a webhook is part of. */
const usualPatience = 8_000;
const maximumBody = 1_024;
/** Milliseconds that an answer has for its body, once its status is there. */
const bodyPatience = 1_000;

/** Makes what sends. */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { allowPrivate, patience = usualPatience, resolve } = options;
  const lookup = allowPrivate ? resolve : publicLookup(resolve);
  const refuses = (url: string) => !allowPrivate && isPlainlyPrivate(new URL(url));

  async function send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookAnswer> {
    const start = performance.now();
    const timeout = AbortSignal.timeout(patience);
    const found = await attempt(message, timeout, signal);
    return { ...nothing, ...found, duration: Math.round(performance.now() - start) };
  }

  async function attempt(
    message: WebhookMessage,
    timeout: AbortSignal,
    signal: AbortSignal | undefined,
  ): Promise<Partial<WebhookAnswer>> {
    try {
      if (refuses(message.url)) throw new PrivateAddressError();
      const either = AbortSignal.any(signal === undefined ? [timeout] : [timeout, signal]);
      // Loaded only now: no command sends but one, and each would start later for it.
      const { post } = await import('./request.ts');
      const response = await post(message, { lookup, signal: either });
      const status = response.statusCode ?? 0;
      const retryAfter = response.headers['retry-after'];
      return { status, retryAfter, error: judge(status), body: await beginningOf(response) };
    } catch (error) {
      signal?.throwIfAborted();
      const late = `It did not answer within ${patience / 1000} seconds.`;
      return { error: timeout.aborted ? late : describe(error) };
    }
  }

  return { refuses, send };
}

const nothing = { status: null, body: null, error: null, retryAfter: undefined };

/** As much of a body as the log keeps. One that does not end, or breaks off, changes nothing about its status. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  const impatient = setTimeout(() => response.destroy(), bodyPatience);
  try {
    for await (const piece of response) {
      pieces.push(piece);
      size += piece.length;
      if (size >= maximumBody) break;
    }
  } catch {
  } finally {
    clearTimeout(impatient);
  }
  // Postgres takes every character but NUL.
  return Buffer.concat(pieces).subarray(0, maximumBody).toString().replaceAll('\0', '\uFFFD');
}

function judge(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `It answered ${status}, a redirect, which is not followed.`
    : `It answered ${status}.`;
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'It refuses connections.',
  ECONNRESET: 'It closed the connection.',
  EPIPE: 'It closed the connection.',
  EHOSTUNREACH: 'There is no way to it.',
  ENETUNREACH: 'There is no way to it.',
  ENOTFOUND: 'Its name has no address.',
  EAI_AGAIN: 'Its name could not be looked up.',
};

/** Says why there was no answer. */
function describe(error: unknown): string {
  if (error instanceof PrivateAddressError) {
    return 'It has a private address, and BACKOFFICE_WEBHOOK_ALLOW_PRIVATE is not set to 1.';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'It did not answer in HTTP.';
  if (/CERT|SIGNATURE|TLS|SSL/.test(code)) return `Its certificate is not to be trusted (${code}).`;
  return sentences[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`;
}
