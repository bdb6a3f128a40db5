import { EventEmitter, once } from 'node:events';
import { Logger, parseCronItems, run, type WorkerEvents } from 'graphile-worker';
import type { Database } from '../db/connection/database.ts';
import { freeAbandonedJobs, updateWorkerSeen } from '../db/job-queue/jobs.ts';
import { jobPoolLoad, jobSchema, maxJobConnections, openJobPool } from '../db/job-queue/pool.ts';
import type { Log } from '../services/call/observer.ts';
import type { Services } from '../services/context.ts';
import { wait } from '../shared/waiting.ts';
import { createTaskList, schedules } from './tasks.ts';

export interface WorkerOptions {
  readonly services: Services;
  readonly databaseUrl: string;
  readonly log: Log;
}

/** New jobs announce themselves; polling finds the jobs that become due. */
const pollIntervalMs = 1_000;
const heartbeatIntervalMs = 3_000;
/** How long running jobs may take to finish at a stop before they are aborted. */
const stopGraceMs = 2_000;
/** The time between the loss of the queue and the end of the worker. */
const settleMs = 200;

/** Works until the signal aborts. Throws if the queue is unavailable or lost: the caller may run it again. */
export async function runWorker(
  { services, databaseUrl, log }: WorkerOptions,
  stop: AbortSignal,
  onStart: () => void,
): Promise<void> {
  const lost = new AbortController();
  const lose = (error: Error) => lost.abort(error);
  const over = AbortSignal.any([stop, lost.signal]);
  const pool = openJobPool(databaseUrl, lose);
  services.observer.onJobPool?.(() => jobPoolLoad(pool));
  // A poll that fails while the worker stops is printed by the library and bypasses every logger. So when the queue is
  // lost, running polls get `settleMs` to fail first, and this promise holds later polls back until the worker stops.
  const noMoreJobs = Promise.withResolvers<string[]>();
  try {
    const runner = await run({
      pgPool: pool,
      schema: jobSchema,
      events: withHeartbeat(services.databases.primary, over, lose),
      logger: toLogger(log, lost.signal),
      taskList: createTaskList(services, log),
      parsedCronItems: parseCronItems(schedules.map(toCronItem)),
      concurrency: maxJobConnections,
      pollInterval: pollIntervalMs,
      forbiddenFlags: () => (lost.signal.aborted ? noMoreJobs.promise : null),
      gracefulShutdownAbortTimeout: stopGraceMs,
      noHandleSignals: true,
      // With batching, a connection lost at the end of a job is an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    onStart();
    if (!over.aborted) await Promise.race([runner.promise, once(over, 'abort')]);
    if (lost.signal.aborted) await wait(settleMs);
    const stopped = runner.stop();
    noMoreJobs.resolve([]);
    // It rejects if the runner has already stopped.
    await stopped.catch(() => {});
  } finally {
    await pool.end();
  }
  lost.signal.throwIfAborted();
  if (!stop.aborted) throw new Error('The job worker stopped unexpectedly.');
}

/** Returns the worker's events. Once the worker has an id, it records a heartbeat and frees the jobs of dead workers. */
function withHeartbeat(db: Database, over: AbortSignal, onError: (error: Error) => void): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.once('pool:create', async ({ workerPool }) => {
    while (!over.aborted) {
      try {
        await updateWorkerSeen(db, workerPool.id);
        await freeAbandonedJobs(db);
      } catch (error) {
        return onError(error as Error);
      }
      await wait(heartbeatIntervalMs, over);
    }
  });
  return events;
}

/** Makes the schedule's cron item. A job that is still queued when it is due again is not queued twice. */
const toCronItem = ({ name, pattern }: (typeof schedules)[number]) => ({
  task: name,
  match: pattern,
  options: { jobKey: name, maxAttempts: 3, priority: -1 },
});

/** Passes on errors and warnings, never payloads. Drops them once the queue is lost, which the caller logs. */
function toLogger(log: Log, lost: AbortSignal): Logger {
  return new Logger(() => (level, message, { error }) => {
    const [line = ''] = message.split('\n', 1);
    if (lost.aborted) return;
    if (level === 'error') log.error({ err: error }, line);
    if (level === 'warning') log.warn({ err: error }, line);
  });
}
