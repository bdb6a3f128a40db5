import type { DeliveryAttempt } from '../../db/tables/webhooks/webhook-deliveries.ts';
import type { WebhookResponse } from './sender.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds from each failed attempt to the next: eight attempts in 27.5 hours. */
const delaysSeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** The longest delay that a receiver may ask for. */
const maxRetryAfterSeconds = 24 * hour;

/** Lengthens each delay by up to a fifth, so that deliveries which failed together do not retry together. */
const jitter = 0.2;

/**
 * Returns what a response means for the delivery.
 *
 * @param attemptsBefore - the number of earlier attempts
 * @param random - from 0 to 1
 */
export function toAttempt(
  response: WebhookResponse,
  attemptsBefore: number,
  random = Math.random,
): DeliveryAttempt {
  const { status, body, error, durationMs } = response;
  // A receiver that answers 410 Gone wants no more messages.
  const delay = error === null || status === 410 ? undefined : delaysSeconds[attemptsBefore];
  return {
    status: error === null ? 'succeeded' : delay === undefined ? 'failed' : 'pending',
    nextInSeconds:
      delay === undefined
        ? null
        : Math.round(Math.max(delay * (1 + jitter * random()), parseRetryAfter(response.retryAfter))),
    response_status: status,
    response_body: body,
    error,
    duration_ms: durationMs,
  };
}

/** Returns the seconds that a `Retry-After` header asks for, either as a number or as a date. */
function parseRetryAfter(header: string | undefined, now = Date.now()): number {
  if (header === undefined) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(seconds, maxRetryAfterSeconds);
}
