import type { Gauge } from 'prom-client';
import { mailTask } from '../../db/job-queue/jobs.ts';
import type { Services } from '../../services/context.ts';
import { type BacklogReading, createBacklogReader } from './backlog.ts';
import type { Prometheus } from './prometheus.ts';

const states = ['ready', 'running', 'scheduled', 'failed'] as const;

/** The tasks that have a value even without jobs, so that a graph of them starts at 0. */
const knownTasks = ['deliver_webhook', mailTask];

/**
 * Adds the gauges of what waits in the database, the same at every instance. They are absent while the database has not
 * answered for a minute.
 *
 * @returns what must run before each scrape
 */
export function addDatabaseMetrics(
  { gauge }: Prometheus,
  { databases }: Pick<Services, 'databases'>,
): () => Promise<void> {
  const readBacklog = createBacklogReader(databases.primary);
  const up = gauge('database_up', '1 if the database has answered lately, else 0.');
  const age = gauge('backlog_age_seconds', 'Age of the figures of jobs and changes that wait.');
  const jobs = gauge('job_queue_jobs', 'Jobs in the queue, by task and state.', 'task', 'state');
  const oldestJob = gauge(
    'job_queue_oldest_ready_seconds',
    'For how long the oldest job of a task that is ready could have run.',
    'task',
  );
  const unpublished = gauge('unpublished_changes', 'Changes that are not published yet.');
  const oldestUnpublished = gauge(
    'unpublished_changes_oldest_seconds',
    'Age of the oldest change that is not published yet.',
  );
  const lastEvent = gauge('last_event_id', 'Id of the latest event.');

  function setJobs(tasks: NonNullable<BacklogReading['backlog']>['jobs']): void {
    for (const task of knownTasks) {
      oldestJob.set({ task }, 0);
      for (const state of states) jobs.set({ task, state }, 0);
    }
    for (const { task, oldest_seconds, ...counts } of tasks) {
      oldestJob.set({ task }, oldest_seconds);
      for (const state of states) jobs.set({ task, state }, counts[state]);
    }
  }

  return async () => {
    const { isUp, backlog } = await readBacklog();
    setOrRemove(up, isUp === undefined ? undefined : Number(isUp));
    jobs.reset();
    oldestJob.reset();
    if (backlog !== undefined) setJobs(backlog.jobs);
    setOrRemove(age, backlog && backlog.ageMs / 1_000);
    setOrRemove(unpublished, backlog?.publication?.changes);
    setOrRemove(oldestUnpublished, backlog?.publication?.oldest_seconds);
    setOrRemove(lastEvent, backlog?.publication?.last_event_id);
  };
}

function setOrRemove(gauge: Gauge<never>, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
