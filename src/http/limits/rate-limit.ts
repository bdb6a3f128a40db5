import type { ServerResponse } from 'node:http';
import type { RateLimit } from '../../config.ts';
import { BackofficeError, tooManyRequests } from '../../contract/errors.ts';
import { currentMoment, elapsedMs, type Moment } from '../../shared/time/moment.ts';
import type { Caller } from '../../shared/waiting/fair-queue.ts';

/** More callers than that are counted only in the order in which their windows end. */
const maxCallers = 10_000;

/** The requests of one caller since its window began. */
interface Window {
  readonly since: Moment;
  requests: number;
}

/**
 * Counts a request of a caller, and says in the headers of its response how many are left
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
 *
 * @throws BackofficeError `rate_limited`, with the seconds until the window ends
 */
export type CountRequest = (caller: Caller, res: ServerResponse) => void;

/** Returns what limits the requests of each caller to a number in a window of time, in this process. */
export function createRateLimit({ requests: quota, seconds }: RateLimit): CountRequest {
  /** In the order in which they began, so the first one ends first. */
  const windows = new Map<string, Window>();
  const policy = `"caller";q=${quota};w=${seconds}`;
  const isOver = ({ since }: Window) => elapsedMs(since) >= seconds * 1_000;

  function open(key: string): Window {
    for (const [other, window] of windows) {
      if (windows.size < maxCallers && !isOver(window)) break;
      windows.delete(other);
    }
    const window = { since: currentMoment(), requests: 0 };
    // Delete it first, so that it moves to the end.
    windows.delete(key);
    windows.set(key, window);
    return window;
  }

  return ({ key }, res) => {
    const known = windows.get(key);
    const window = known === undefined || isOver(known) ? open(key) : known;
    const isTooMany = window.requests >= quota;
    if (!isTooMany) window.requests++;
    const leftSeconds = Math.max(1, Math.ceil(seconds - elapsedMs(window.since) / 1_000));
    res.setHeader('RateLimit-Policy', policy);
    res.setHeader('RateLimit', `"caller";r=${quota - window.requests};t=${leftSeconds}`);
    if (isTooMany) throw new BackofficeError(tooManyRequests, { retryAfter: leftSeconds });
  };
}
