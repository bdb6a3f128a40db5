import { isPermissionDenied } from '../db/connection/errors.ts';
import { isSchemaCurrent } from '../db/migrate/status.ts';
import { atMost, createBackoff, wait } from '../shared/waiting.ts';
import type { WorkerOptions } from './worker.ts';

export type RunningJobs = ReturnType<typeof startJobs>;

/** The worker takes as long to load as the server. Until then, the server answers the first requests. */
const startDelayMs = 150;
/** For how long after the start the role may lack its rights: they follow the migrations a moment later. */
const grantsMs = 10_000;
const minRetryDelayMs = 250;
const maxRetryDelayMs = 10_000;
/** After this time a stop no longer waits, for example for a database that does not respond. */
const stopTimeoutMs = 6_000;

/** Runs the job worker once the database is ready, and again whenever it loses the queue. */
export function startJobs(options: WorkerOptions) {
  const stopping = new AbortController();
  const stopped = Promise.all([keepWorking(options, stopping.signal), keepReading(options, stopping.signal)]);
  return {
    /** Takes no new jobs and ends the running ones within a few seconds. Interrupted jobs run again later. */
    async stop() {
      stopping.abort();
      await atMost(stopTimeoutMs, stopped);
    },
  };
}

async function keepWorking(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const backoff = createBackoff({ firstMs: minRetryDelayMs, maxMs: maxRetryDelayMs });
  const begun = performance.now();
  let isLost = false;
  await wait(startDelayMs, stop);
  const onStart = () => {
    // A normal start is not logged, only a recovery.
    if (isLost) options.log.info({}, 'job queue available again');
    isLost = false;
  };
  while (!stop.aborted) {
    const start = performance.now();
    try {
      if (await isSchemaCurrent(options.services.databases.primary)) {
        const { runWorker } = await import('./worker.ts');
        await runWorker(options, stop, onStart);
      }
    } catch (err) {
      if (!isPermissionDenied(err) || performance.now() - begun > grantsMs) {
        isLost = true;
        options.log.warn({ err }, 'job queue unavailable');
      }
    }
    // A worker that ran for a while restarts at once.
    if (performance.now() - start > maxRetryDelayMs) backoff.reset();
    await wait(backoff.next(), stop);
  }
}

/** Reads the mailbox of IMAP_URL, if there is one. It waits for the migrations as it does for a mail server. */
async function keepReading({ services, log }: WorkerOptions, stop: AbortSignal): Promise<void> {
  if (services.imapUrl === undefined) return;
  await wait(startDelayMs, stop);
  if (stop.aborted) return;
  const { keepReadingMailbox } = await import('./mailbox.ts');
  await keepReadingMailbox({ services, log }, services.imapUrl, stop);
}
