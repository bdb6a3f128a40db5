import type { PoolLoad } from '../../db/connection/pool-load.ts';
import type { Observer, SendingOutcome, SignInOutcome } from '../../services/call/observer.ts';
import type { Prometheus } from './prometheus.ts';

const signInOutcomes: readonly SignInOutcome[] = [
  'succeeded',
  'factor_due',
  'wrong_password',
  'wrong_factor',
  'limited',
];
const sendingOutcomes: readonly SendingOutcome[] = ['succeeded', 'failed', 'given_up'];

/** Counts what the services tell it, and knows the load of the job queue's connections once they are open. */
export interface MetricsObserver extends Observer {
  jobPool(): PoolLoad | undefined;
}

/** Returns the observer of a process whose metrics are read. */
export function createObserver({ Counter, Histogram, registers }: Prometheus): MetricsObserver {
  let jobPool: (() => PoolLoad) | undefined;
  /** Starts each outcome at 0: the first one would otherwise be no increase. */
  function byOutcome(name: string, help: string, outcomes: readonly string[]) {
    const counter = new Counter({ name, help, labelNames: ['outcome'], registers });
    for (const outcome of outcomes) counter.inc({ outcome }, 0);
    return counter;
  }
  const signIns = byOutcome('backoffice_sign_ins_total', 'Attempts to sign in, by outcome.', signInOutcomes);
  const deliveries = byOutcome(
    'backoffice_webhook_deliveries_total',
    'Attempts to deliver a message to a webhook, by outcome: those that failed are tried again.',
    sendingOutcomes,
  );
  const mails = byOutcome(
    'backoffice_mails_total',
    'Attempts to send a mail, by outcome: those that failed are tried again.',
    sendingOutcomes,
  );
  const deliverySeconds = new Histogram({
    name: 'backoffice_webhook_delivery_duration_seconds',
    help: 'Time that a receiver of webhooks took to respond.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const jobs = new Counter({
    name: 'backoffice_jobs_total',
    help: 'Runs of jobs, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const jobSeconds = new Histogram({
    name: 'backoffice_job_duration_seconds',
    help: 'Duration of the runs of jobs, by task.',
    labelNames: ['task'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120],
    registers,
  });
  const published = new Counter({
    name: 'backoffice_published_changes_total',
    help: 'Changes that this instance published as events and audit records.',
    registers,
  });
  const publicationSeconds = new Histogram({
    name: 'backoffice_event_lag_seconds',
    help: 'Time from the commit of a change to its publication, of the first change of each batch of this instance.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers,
  });
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
