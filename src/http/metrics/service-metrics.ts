import type { Request } from 'express';
import type { Gauge } from 'prom-client';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import type { PoolLoad } from '../../db/connection/connections.ts';
import {
  type Observer,
  replyOutcomes,
  sendingOutcomes,
  signInOutcomes,
} from '../../services/call/observer.ts';
import type { OpenServices } from '../../services/open.ts';
import type { RequestObserver } from '../log.ts';
import type { Prometheus } from './prometheus.ts';

/** Adds the gauges of the pools, the queues and the followers, which are read at each scrape. */
export function addServiceMetrics(
  prometheus: Prometheus,
  services: OpenServices,
  jobPool: () => PoolLoad | undefined,
): void {
  const { load, events } = services;

  /** Adds a gauge with a value for each pool or queue. */
  function byName<T>(
    label: 'pool' | 'queue',
    entries: () => Readonly<Record<string, T>>,
    gauges: readonly (readonly [name: string, help: string, value: (each: T) => number])[],
  ): void {
    for (const [name, help, value] of gauges) {
      const collect = (gauge: Gauge<typeof label>) => {
        for (const [key, each] of Object.entries(entries())) gauge.set({ [label]: key }, value(each));
      };
      prometheus.gaugeOf(name, help, collect, label);
    }
  }

  function pools(): Readonly<Record<string, PoolLoad>> {
    const jobs = jobPool();
    return { ...load().pools, ...(jobs === undefined ? {} : { jobs }) };
  }
  byName('pool', pools, [
    ['database_pool_max_connections', 'Connections that a pool may have.', ({ max }) => max],
    ['database_pool_open_connections', 'Connections that a pool has.', ({ open }) => open],
    ['database_pool_used_connections', 'Connections of a pool that are in use.', ({ inUse }) => inUse],
    ['database_pool_waiting', 'Work that waits for a connection of a pool.', ({ waiting }) => waiting],
  ]);
  byName('queue', () => load().queues, [
    ['queue_capacity', 'Work of a class that may run at once.', ({ capacity }) => capacity],
    ['queue_running', 'Work of a class that runs.', ({ running }) => running],
    ['queue_waiting', 'Work of a class that waits for its turn.', ({ waiting }) => waiting],
  ]);
  prometheus.gaugeOf('event_streams', 'Followers of the event stream of this instance.', (gauge) =>
    gauge.set(events.followers),
  );
  if (load().replica !== undefined) addReplicaMetrics(prometheus, services);
}

function addReplicaMetrics({ gaugeOf }: Prometheus, { load }: OpenServices): void {
  gaugeOf('replica_used', '1 if the read replica answers reads, 0 if the primary does.', (gauge) =>
    gauge.set(load().replica?.used ? 1 : 0),
  );
  gaugeOf(
    'replica_lag_seconds',
    'Time since the read replica last had all that the primary had. Absent until it has.',
    (gauge) => {
      const lagMs = load().replica?.lagMs;
      if (lagMs === undefined) gauge.remove();
      else gauge.set(lagMs / 1_000);
    },
  );
}

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

/** Returns the observer of a process whose metrics are read. It knows the load of the job queue's connections. */
export function createObserver({ counter, histogram }: Prometheus) {
  let jobPool: (() => PoolLoad) | undefined;
  /** Starts each outcome at 0: the first one would otherwise be no increase. */
  function byOutcome(name: string, help: string, outcomes: readonly string[]) {
    const counts = counter(name, help, 'outcome');
    for (const outcome of outcomes) counts.inc({ outcome }, 0);
    return counts;
  }
  const signIns = byOutcome('sign_ins_total', 'Attempts to sign in, by outcome.', signInOutcomes);
  const deliveries = byOutcome(
    'webhook_deliveries_total',
    'Attempts to deliver a message to a webhook, by outcome: those that failed are tried again.',
    sendingOutcomes,
  );
  const mails = byOutcome(
    'mails_total',
    'Attempts to send a mail, by outcome: those that failed are tried again.',
    sendingOutcomes,
  );
  const replies = byOutcome(
    'visitor_mails_total',
    'Replies that were sent to visitors by mail or not, by outcome: those that were deferred are tried again.',
    replyOutcomes,
  );
  const deliverySeconds = histogram(
    'webhook_delivery_duration_seconds',
    'Time that a receiver of webhooks took to respond.',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  );
  const jobs = counter('jobs_total', 'Runs of jobs, by task and outcome.', 'task', 'outcome');
  const jobSeconds = histogram(
    'job_duration_seconds',
    'Duration of the runs of jobs, by task.',
    [0.01, 0.05, 0.25, 1, 5, 30, 120],
    'task',
  );
  const published = counter(
    'published_changes_total',
    'Changes that this instance published as events and audit records.',
  );
  const publicationSeconds = histogram(
    'event_lag_seconds',
    'Time from the commit of a change to its publication, of the first change of each batch of this instance.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  );
  return {
    onSignIn: (outcome) => signIns.inc({ outcome }),
    onDelivery(outcome, ms) {
      deliveries.inc({ outcome });
      deliverySeconds.observe(ms / 1_000);
    },
    onMail: (outcome) => mails.inc({ outcome }),
    onReply: (outcome) => replies.inc({ outcome }),
    onJob(task, outcome, ms) {
      jobs.inc({ task, outcome });
      jobSeconds.observe({ task }, ms / 1_000);
    },
    onJobPool(load) {
      jobPool = load;
    },
    jobPool: () => jobPool?.(),
    onPublished(changes, ms) {
      published.inc(changes);
      publicationSeconds.observe(ms / 1_000);
    },
  } satisfies Required<Observer> & { jobPool(): PoolLoad | undefined };
}
