import type { Connection } from './connection.ts';
import type { Store } from './store.ts';

const pollMilliseconds = 5_000;
const secondMilliseconds = 1_000;
const secondsBetweenAges = 10;
/** While changes are told, only each sixth poll looks at the data. */
const pollsPerLookWhileLive = 6;

export interface ClockOptions {
  readonly store: Store<{ readonly connection: Connection; readonly now: number }>;
  readonly clock: () => number;
  /** Looks at the data anew. */
  readonly look: () => void;
}

/** What goes on by itself while the dashboard is open. Returns what ends it. */
export function startClocks({ store, clock, look }: ClockOptions): () => void {
  let seconds = 0;
  /** The ages on the screen go on now and then, the seconds to the next try each one. */
  const tick = () => {
    seconds += 1;
    const isLost = store.get().connection.state === 'lost';
    if (isLost || seconds % secondsBetweenAges === 0) store.set({ now: clock() });
  };
  let polls = 0;
  /** What does not tell its changes, such as SQL by hand, is looked at too, the seldomer where the others are told. */
  const poll = () => {
    polls += 1;
    const { state, live } = store.get().connection;
    if (state !== 'lost' && (!live || polls % pollsPerLookWhileLive === 0)) look();
  };
  const timers = [setInterval(tick, secondMilliseconds), setInterval(poll, pollMilliseconds)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
