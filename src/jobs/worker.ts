import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, parseCronItems, run, type WorkerEvents } from 'graphile-worker';
import type { Database } from '../db/connection/pool.ts';
import { jobSchema, maxJobConnections, openJobPool } from '../db/job-queue/pool.ts';
import { freeAbandonedJobs, updateWorkerSeen } from '../db/job-queue/workers.ts';
import type { Services } from '../services/call/context.ts';
import type { Log } from '../services/call/log.ts';
import { schedules } from './schedules.ts';
import { tasksOf } from './tasks.ts';

export interface WorkerOptions {
  readonly services: Services;
  readonly databaseUrl: string;
  readonly log: Log;
}

/** Milliseconds. Jobs are announced when they are added; this is for those whose time comes. */
const pollInterval = 1_000;
/** Milliseconds between two signs of life. */
const beat = 3_000;
/** Milliseconds that jobs under way get to finish at a stop, before they are told to break off. */
const patience = 2_000;
/** Milliseconds from the loss of the queue to the end of the worker. */
const settling = 200;

/**
 * Works on the queue until it is told to stop.
 *
 * @param onStart - called as soon as the queue is there
 * @throws where the queue cannot be had, or is lost: it can then be called again
 */
export async function runWorker(
  { services, databaseUrl, log }: WorkerOptions,
  stop: AbortSignal,
  onStart: () => void,
): Promise<void> {
  const lost = new AbortController();
  const lose = (error: Error) => lost.abort(error);
  const over = AbortSignal.any([stop, lost.signal]);
  const pool = openJobPool(databaseUrl, lose);
  // A look for jobs that fails while the worker stops is printed by the library, past every logger. So those that are
  // under way when the queue is lost get the time to fail before, and this holds up later ones until after.
  const noMoreJobs = Promise.withResolvers<string[]>();
  try {
    const runner = await run({
      pgPool: pool,
      schema: jobSchema,
      events: withSignsOfLife(services.databases.primary, over, lose),
      logger: toLogger(log, lost.signal),
      taskList: tasksOf(services, log),
      parsedCronItems: parseCronItems(schedules.map(toCronItem)),
      concurrency: maxJobConnections,
      pollInterval,
      forbiddenFlags: () => (lost.signal.aborted ? noMoreJobs.promise : null),
      gracefulShutdownAbortTimeout: patience,
      noHandleSignals: true,
      // Unbatched, what a lost connection does to the end of a job would be an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    onStart();
    if (!over.aborted) await Promise.race([runner.promise, once(over, 'abort')]);
    if (lost.signal.aborted) await delay(settling);
    const stopped = runner.stop();
    noMoreJobs.resolve([]);
    // It rejects where it has stopped by itself.
    await stopped.catch(() => {});
  } finally {
    await pool.end();
  }
  lost.signal.throwIfAborted();
  if (!stop.aborted) throw new Error('The worker stopped by itself.');
}

/**
 * The events of a worker. As soon as it has a name, it shows that it is alive, and frees the jobs of those that are not
 * any more.
 */
function withSignsOfLife(db: Database, over: AbortSignal, onError: (error: Error) => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.once('pool:create', async ({ workerPool }) => {
    while (!over.aborted) {
      try {
        await updateWorkerSeen(db, workerPool.id);
        await freeAbandonedJobs(db);
      } catch (error) {
        return onError(error as Error);
      }
      await delay(beat, undefined, { signal: over }).catch(() => {});
    }
  });
  return events;
}

/** One that still waits when its time comes again is not added a second time. */
const toCronItem = ({ name, pattern }: (typeof schedules)[number]) => ({
  task: name,
  match: pattern,
  options: { jobKey: name, maxAttempts: 3, priority: -1 },
});

/**
 * Of what the library says, only what goes wrong: every job is news to it. When the queue is lost, that is said once,
 * and it would say it for each connection. A payload is never logged.
 */
function toLogger(log: Log, lost: AbortSignal): Logger {
  return new Logger(() => (level, message, { error }) => {
    const [line = ''] = message.split('\n', 1);
    if (lost.aborted) return;
    if (level === 'error') log.error({ err: error }, line);
    if (level === 'warning') log.warn({ err: error }, line);
  });
}
