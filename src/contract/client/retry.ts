import { createBackoff, wait } from '../../shared/waiting.ts';

const maxRetries = 3;
const firstDelayMs = 250;
const maxDelayMs = 5_000;
/** Answers of a proxy, or of a service that starts or is overloaded. */
const passingStatuses: readonly number[] = [502, 503, 504];

/**
 * Sends a request with its `Idempotency-Key` again, with growing delays, if the connection fails before the whole answer
 * is here, the service is unavailable, or the first request is still running.
 */
export async function sendWithRetries(
  send: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const backoff = createBackoff({ firstMs: firstDelayMs, maxMs: maxDelayMs, jitter: 0.5 });
  for (let retries = 0; ; retries++) {
    const isLast = retries === maxRetries;
    try {
      const response = await readWhole(await send());
      if (isLast || !mayPass(response)) return response;
      await wait(Math.max(backoff.next(), retryAfterMs(response)), signal);
    } catch (error) {
      if (isLast || signal?.aborted) throw error;
      await wait(backoff.next(), signal);
    }
    signal?.throwIfAborted();
  }
}

/** Reads the body, so that a connection that is cut meanwhile fails here. */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
}

/** Other statuses pass only if the answer says when: the first request is still running, or the database is away. */
const statusesThatMayPass: readonly number[] = [409, 500];

function mayPass({ status, headers }: Response): boolean {
  return (
    passingStatuses.includes(status) || (statusesThatMayPass.includes(status) && headers.has('retry-after'))
  );
}

/** Returns the time of the `Retry-After` header, up to a maximum. */
function retryAfterMs({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, maxDelayMs) : 0;
}

/** Returns a random key. Unlike `crypto.randomUUID`, this also works on a page without HTTPS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
