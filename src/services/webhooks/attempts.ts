import type { DeliveryAttempt } from '../../db/tables/webhook-deliveries.ts';
import type { WebhookAnswer } from './sender.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds from each attempt that fails to the next: eight attempts in 27 and a half hours. */
const pauses = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** A receiver may ask for more time than that, up to this. */
const longestPause = 24 * hour;

/** A fifth longer at most, so that what failed together does not come back together. */
const spread = 0.2;

/**
 * What an answer means for a delivery.
 *
 * @param before - how many attempts there were before this one
 * @param random - from 0 to 1
 */
export function toAttempt(answer: WebhookAnswer, before: number, random = Math.random): DeliveryAttempt {
  const { status, body, error, duration } = answer;
  const pause = error === null || status === 410 ? undefined : pauses[before];
  return {
    status: error === null ? 'succeeded' : pause === undefined ? 'failed' : 'pending',
    nextInSeconds:
      pause === undefined
        ? null
        : Math.round(Math.max(pause * (1 + spread * random()), secondsOf(answer.retryAfter))),
    response_status: status,
    response_body: body,
    error,
    duration_ms: duration,
  };
}

/** How long a `Retry-After` header asks to wait: a number of seconds, or a date. */
function secondsOf(header: string | undefined, now = Date.now()): number {
  if (header === undefined) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(seconds, longestPause);
}
