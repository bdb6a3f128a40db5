import type { Request } from 'express';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import type { RequestObserver } from '../log.ts';
import type { Prometheus } from './prometheus.ts';

/** From what an index answers to what only a long list takes. */
const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What is not an operation, by the start of its path. Any other path is `other`, so the number of labels is bounded. */
const otherPaths: readonly (readonly [label: string, path: RegExp])[] = [
  ['health', /^\/(healthz|readyz)(\?|$)/],
  ['mcp', /^\/api\/mcp(\?|$)/],
  ['docs', /^\/api\/(docs|openapi\.json)/],
];

/** A follower stays for hours, which is no duration to compare. */
const streams: ReadonlySet<string> = new Set(
  operations.filter((operation: Operation) => operation.answers === 'events').map(({ id }) => id),
);

/** Returns the observer that counts and times requests. */
export function createRequestMetrics({ counter, gaugeOf, histogram }: Prometheus): RequestObserver {
  let inFlight = 0;
  const requests = counter(
    'http_requests_total',
    'Requests that ended, by operation and class of status. Those whose client left before the response are `aborted`.',
    'operation',
    'status',
  );
  const durations = histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to the end of its response, by operation, without event streams.',
    secondsBuckets,
    'operation',
  );
  const limited = counter(
    'http_requests_limited_total',
    'Requests that were answered 429, by operation.',
    'operation',
  );
  gaugeOf(
    'http_requests_in_flight',
    'Requests whose response has not ended, event streams included.',
    (gauge) => gauge.set(inFlight),
  );

  return {
    onStart() {
      inFlight++;
    },
    onEnd(req, { statusCode, headersSent }, ms) {
      inFlight--;
      const operation = labelOf(req);
      const status = headersSent ? `${Math.floor(statusCode / 100)}xx` : 'aborted';
      requests.inc({ operation, status });
      if (statusCode === 429) limited.inc({ operation });
      if (!streams.has(operation)) durations.observe({ operation }, ms / 1_000);
    },
  };
}

function labelOf({ operation, baseUrl, url }: Request): string {
  return operation ?? otherPaths.find(([, path]) => path.test(baseUrl + url))?.[0] ?? 'other';
}
