import type { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';

const pollMs = 5_000;
const tickMs = 1_000;
const ticksPerAgeUpdate = 10;
/** While changes arrive as events, only every sixth poll refreshes. */
const pollsPerRefreshWhileLive = 6;

export interface TimerOptions {
  readonly store: Store<{ readonly connection: Connection; readonly now: number }>;
  readonly clock: () => number;
  /** Loads the data again. */
  readonly refresh: () => void;
}

/** Starts the periodic work of an open dashboard. Returns a function that stops it. */
export function startTimers({ store, clock, refresh }: TimerOptions): () => void {
  let ticks = 0;
  /** Updates the ages every ten seconds, and the countdown to the next retry every second. */
  const tick = () => {
    ticks += 1;
    const isLost = store.get().connection.state === 'lost';
    if (isLost || ticks % ticksPerAgeUpdate === 0) store.set({ now: clock() });
  };
  let polls = 0;
  /** Finds changes that cause no event, such as manual SQL, so it also runs while events arrive, but less often. */
  const poll = () => {
    polls += 1;
    const { state, live } = store.get().connection;
    if (state !== 'lost' && (!live || polls % pollsPerRefreshWhileLive === 0)) refresh();
  };
  const timers = [setInterval(tick, tickMs), setInterval(poll, pollMs)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
