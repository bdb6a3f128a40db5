import { setTimeout as delay } from 'node:timers/promises';
import { isSchemaCurrent } from '../db/migrate/index.ts';
import { runWorker, type WorkerOptions } from './worker.ts';

export interface RunningJobs {
  /** Takes no new job, and ends those under way within a few seconds; what breaks off is done again later. */
  stop(): Promise<void>;
}

/** Milliseconds between two tries to get at the queue: the first, and the longest. */
const shortestPause = 250;
const longestPause = 10_000;
/** Milliseconds after which a stop does not wait any longer, as where the database does not answer. */
const patience = 6_000;

/**
 * Starts to work on the queue of jobs, as soon as the database can be reached and its schema is current, and again
 * whenever it was lost.
 */
export function startJobs(options: WorkerOptions): RunningJobs {
  const stopping = new AbortController();
  const stopped = keepWorking(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await Promise.race([stopped, delay(patience, undefined, { ref: false })]);
    },
  };
}

async function keepWorking(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  let pause = shortestPause;
  let isMissed = false;
  const onStart = () => {
    // That it works is no news, unless it was said that it does not.
    if (isMissed) options.log.info({}, 'working on the job queue again');
    isMissed = false;
  };
  while (!stop.aborted) {
    const start = Date.now();
    try {
      if (await isSchemaCurrent(options.services.databases.primary)) await runWorker(options, stop, onStart);
    } catch (err) {
      isMissed = true;
      options.log.warn({ err }, 'the job queue is not to be had');
    }
    // What worked for a while is tried again at once, what fails each time more and more seldom.
    pause = Date.now() - start > longestPause ? shortestPause : Math.min(pause * 2, longestPause);
    await delay(pause, undefined, { signal: stop }).catch(() => {});
  }
}
