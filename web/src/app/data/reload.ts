import type { QueryKey } from '@tanstack/react-query';
import type { EventOrGap } from '../../../../src/contract/events/envelope.ts';
import { mayPass, queryClient } from './query-client.ts';

/**
 * What keeps the data of the loaded pages up to date. Each part adds itself when it is loaded: a page that was never opened
 * has nothing to keep, and costs the first view nothing.
 */
export const receivers = new Set<(event: EventOrGap) => void>();

const afterFailureMs = 5_000;
/** A task runs for at most this part of the time, so that a service that is slow to answer is asked less often. */
const maxShare = 0.2;

/**
 * Returns a function that asks for a task to run soon: at once, but not within a pause after the last run, and not while
 * the tab is hidden. Calls meanwhile share one run. A task that the network or the service fails runs again.
 *
 * @param task - resolves with `again` if it has left something to do
 * @param worksHidden - whether it also runs in a hidden tab, such as for the title of the window
 * @returns a function whose promise resolves after a run that began later than the call; `isUrgent` skips the pause
 */
export function paced(
  task: () => Promise<unknown>,
  pauseMs: number,
  worksHidden = false,
): (isUrgent?: boolean) => Promise<void> {
  let waiting: (() => void)[] = [];
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let earliest = 0;

  function ask(isUrgent = false): Promise<void> {
    if (isUrgent) earliest = 0;
    return new Promise((resolve) => {
      waiting.push(resolve);
      plan();
    });
  }

  function plan(): void {
    clearTimeout(timer);
    if (waiting.length === 0 || isRunning || (document.hidden && !worksHidden)) return;
    timer = setTimeout(() => void run(), Math.max(0, earliest - performance.now()));
  }

  async function run(): Promise<void> {
    const done = waiting;
    waiting = [];
    isRunning = true;
    const began = performance.now();
    const ended = await task().catch((error: Error) => (mayPass(error) ? 'failed' : undefined));
    const tookMs = performance.now() - began;
    earliest =
      performance.now() +
      (ended === 'failed' ? afterFailureMs : Math.max(pauseMs, tookMs / maxShare - tookMs));
    isRunning = false;
    if (ended === 'again' || ended === 'failed') waiting.push(...done);
    else for (const resolve of done) resolve();
    plan();
  }

  document.addEventListener('visibilitychange', plan);
  return ask;
}

const reloadPauseMs = 1_000;
const reloads = new Map<string, () => Promise<void>>();

/** Loads what is shown under a key again, at most once a second however many events ask for it. */
export function reloadSoon(queryKey: QueryKey, worksHidden = false): void {
  const name = JSON.stringify(queryKey);
  const load = () => queryClient.invalidateQueries({ queryKey });
  const ask = reloads.get(name) ?? paced(load, reloadPauseMs, worksHidden);
  reloads.set(name, ask);
  void ask();
}
