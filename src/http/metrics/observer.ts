import type { PoolLoad } from '../../db/connection/connections.ts';
import { type Observer, sendingOutcomes, signInOutcomes } from '../../services/call/observer.ts';
import type { Prometheus } from './prometheus.ts';

/** Counts what the services tell it, and knows the load of the job queue's connections once they are open. */
export interface MetricsObserver extends Observer {
  jobPool(): PoolLoad | undefined;
}

/** Returns the observer of a process whose metrics are read. */
export function createObserver({ counter, histogram }: Prometheus): MetricsObserver {
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
  };
}
