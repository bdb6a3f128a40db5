import type { Loaded } from '../../shared/waiting/load.ts';
import type { RunLimited } from '../../shared/waiting/semaphore.ts';
import { wait } from '../../shared/waiting/wait.ts';

/** How many changes run at once while their publication keeps up. */
const maxRunning = 30;
/** How many batches of a kind run at once while their publication keeps up. */
const maxBatches = 3;
/** How many run at once at least, however late the publication is. */
const minRunning = 5;
/** How many run for each millisecond that the fastest change takes: changes that wait for a disk need no processor. */
const minRunningPerMs = 5;
/** The fastest change is that of this period and the one before. */
const periodMs = 1_000;
/** A publication that takes longer falls behind. */
const maxPublicationMs = 25;
/** While nothing is published, nothing falls behind. */
const validMs = 200;
/** No change waits longer for its turn: those that run may wait for a lock. */
const maxWaitMs = 50;

/** Limits how many changes run at once while their publication falls behind. */
export interface ChangePace extends Loaded {
  readonly run: RunLimited;
  /**
   * Notes that changes were published.
   *
   * @param ms - the time since the first of them was due
   */
  notePublication(ms: number): void;
  /**
   * Returns how many batches of changes of a kind may run at once: one while publication falls behind. It has more changes
   * then, and leaves processors to the publication.
   */
  readonly maxBatches: () => number;
}

/**
 * Returns what keeps the publication of changes from falling behind. It runs on one connection, which gets no more of the
 * database's processors than each writer. With many writers events come late, and fewer writers at once make as many changes.
 */
export function createChangePace(): ChangePace {
  const fastest = fastestChange();
  const waiting = new Set<() => void>();
  let running = 0;
  let limit = maxRunning;
  let publishedAt = -Infinity;
  let publishedLate = false;

  const isPublishing = () => performance.now() - publishedAt < validMs;
  const capacity = () => (isPublishing() ? limit : maxRunning);

  async function waitForTurn(): Promise<void> {
    const turn = new AbortController();
    const begin = () => turn.abort();
    waiting.add(begin);
    await wait(maxWaitMs, turn.signal);
    waiting.delete(begin);
  }

  function startNext(): void {
    const [begin] = waiting;
    if (begin === undefined || running >= capacity()) return;
    waiting.delete(begin);
    begin();
  }

  return {
    async run(work) {
      if (running >= capacity()) await waitForTurn();
      running++;
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        fastest.note(performance.now() - startedAt);
        running--;
        startNext();
      }
    },
    notePublication(ms) {
      const least = Math.max(minRunning, Math.round(minRunningPerMs * fastest.ms()));
      publishedLate = ms > maxPublicationMs;
      const next = publishedLate ? Math.floor(limit * 0.8) : limit + 1;
      limit = Math.min(maxRunning, Math.max(least, next));
      publishedAt = performance.now();
      startNext();
    },
    maxBatches: () => (publishedLate && isPublishing() ? 1 : maxBatches),
    load: () => ({ capacity: capacity(), running, waiting: waiting.size }),
  };
}

/** Keeps the shortest time that a change took lately. */
function fastestChange() {
  let last = Number.POSITIVE_INFINITY;
  let current = Number.POSITIVE_INFINITY;
  let startedAt = performance.now();
  return {
    note(ms: number): void {
      const now = performance.now();
      if (now - startedAt >= periodMs) {
        last = current;
        current = Number.POSITIVE_INFINITY;
        startedAt = now;
      }
      current = Math.min(current, ms);
    },
    /** Returns the shortest time, or 0 if no change has ended. */
    ms(): number {
      const shortest = Math.min(last, current);
      return Number.isFinite(shortest) ? shortest : 0;
    },
  };
}
