import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, parseCronItems, run, type WorkerEvents } from 'graphile-worker';
import { jobConnections, jobSchema, openJobPool } from '../db/job-pool.ts';
import { freeAbandonedJobs, updateWorkerSeen } from '../db/job-workers.ts';
import type { Database } from '../db/pool.ts';
import type { Log, Services } from '../services/context.ts';
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

/**
 * Works on the queue until it is told to stop.
 *
 * @throws where the queue cannot be had, or when it breaks: it can then be called again
 */
export async function work({ services, databaseUrl, log }: WorkerOptions, stop: AbortSignal): Promise<void> {
  const onConnectionError = (err: Error) => log.warn({ err }, 'connection of the job queue lost');
  const pool = openJobPool(databaseUrl, onConnectionError);
  const over = new AbortController();
  try {
    const runner = await run({
      pgPool: pool,
      schema: jobSchema,
      events: withSignsOfLife(services.databases.primary, over.signal, onConnectionError),
      logger: toLogger(log),
      taskList: tasksOf(services, log),
      parsedCronItems: parseCronItems(schedules.map(toCronItem)),
      concurrency: jobConnections,
      pollInterval,
      gracefulShutdownAbortTimeout: patience,
      noHandleSignals: true,
      // Unbatched, what a lost connection does to the end of a job would be an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    if (!stop.aborted) await Promise.race([runner.promise, once(stop, 'abort', { signal: over.signal })]);
    if (stop.aborted) await runner.stop();
  } finally {
    over.abort();
    await pool.end();
  }
}

/** The events of a worker, which on being made shows that it is alive, and frees the jobs of those that are not. */
function withSignsOfLife(db: Database, over: AbortSignal, onError: (error: Error) => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.once('pool:create', async ({ workerPool }) => {
    while (!over.aborted) {
      try {
        await updateWorkerSeen(db, workerPool.id);
        await freeAbandonedJobs(db);
      } catch (error) {
        onError(error as Error);
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

/** Of what the library says, only what goes wrong: every job is news to it. A payload is never logged. */
function toLogger(log: Log): Logger {
  return new Logger(() => (level, message, { error }) => {
    const [line = ''] = message.split('\n', 1);
    if (level === 'error') log.error({ err: error }, line);
    if (level === 'warning') log.warn({ err: error }, line);
  });
}
