import type { Loaded } from './load.ts';
import type { RunLimited } from './semaphore.ts';

/** On whose behalf code runs, for the shares of what all callers use. */
export interface Caller {
  readonly key: string;
  /** Whether it may use the slots that are reserved. */
  readonly isPreferred?: boolean;
  /** The number of the call, if it is that of an account or a token. Earlier calls have lower numbers. */
  readonly call?: number;
}

export interface FairQueueOptions {
  /** Returns the caller of the work that comes now. Undefined is the service itself. */
  readonly currentCaller: () => Caller | undefined;
  /** How much work may run at once. */
  readonly capacity: number;
  /** How much work of a caller may run while it is the only one. By default its half. The rest is for the next caller. */
  readonly maxAlone?: number;
  /** How much of the capacity only preferred callers may use. */
  readonly reserved?: number;
  /** How much work of preferred callers may wait, and how much of all others. */
  readonly maxQueued?: number;
  /** Returns the error for work that finds the queue full. */
  readonly onFull?: () => Error;
  /** Returns a signal that ends all waits when it aborts. While it is aborted, nothing starts. */
  readonly standstill?: (() => AbortSignal) | undefined;
}

/** Runs work when a slot is free. */
export type FairQueue = RunLimited & Loaded;

/** What one caller has running and waiting. */
interface Lane {
  readonly key: string;
  readonly group: Group;
  /** The caller's own limit. */
  readonly limit: number;
  running: number;
  /** Starts the waiting work. Most lanes never have any. */
  waiting: Set<() => void> | undefined;
}

/** The callers that are preferred, or all others. */
interface Group {
  readonly limit: number;
  running: number;
  queued: number;
  /** The lanes with waiting work, the next one first. */
  readonly lanes: Set<Lane>;
}

/** The key of the service itself. */
const ownKey = '';

/**
 * Returns a function that runs work when a slot is free, and lets no caller hold more than half of the slots. Callers that
 * wait take turns, and preferred ones come first. The work of one caller starts in the order of its arrival. The service
 * itself may use all slots.
 */
export function createFairQueue({
  currentCaller,
  capacity,
  maxAlone = 0,
  reserved = 0,
  maxQueued = Number.POSITIVE_INFINITY,
  onFull = () => new Error('Too much work is waiting.'),
  standstill,
}: FairQueueOptions): FairQueue {
  const share = Math.max(1, Math.floor(capacity / 2));
  const preferred = newGroup(capacity);
  const others = newGroup(capacity - reserved);
  /** The callers whose work runs or waits. */
  const lanes = new Map<string, Lane>();
  let running = 0;

  function openLane(key: string, caller: Caller | undefined): Lane {
    const group = caller?.isPreferred ? preferred : others;
    const limit = caller === undefined ? capacity : share;
    const lane: Lane = { key, group, limit, running: 0, waiting: undefined };
    lanes.set(key, lane);
    return lane;
  }

  function mayStart({ running: own, limit, group }: Lane): boolean {
    if (running >= capacity || group.running >= group.limit) return false;
    return own < limit || (own < maxAlone && lanes.size === 1);
  }

  function start(lane: Lane): void {
    running++;
    lane.running++;
    lane.group.running++;
  }

  function end(lane: Lane): void {
    running--;
    lane.running--;
    lane.group.running--;
    closeIfIdle(lane);
    if (preferred.queued + others.queued > 0) while (startNext(preferred) || startNext(others));
  }

  function closeIfIdle(lane: Lane): void {
    if (lane.running === 0 && lane.waiting === undefined) lanes.delete(lane.key);
  }

  /** Starts work of the first caller in the group that may start some, and makes that caller the last. */
  function startNext({ lanes: inLine }: Group): boolean {
    for (const lane of inLine) {
      // Only the few callers that have their share are passed over, or all.
      if (running >= capacity || lane.group.running >= lane.group.limit) return false;
      if (!mayStart(lane)) continue;
      const [first] = lane.waiting ?? [];
      if (first === undefined) continue;
      leave(lane, first);
      if (inLine.delete(lane)) inLine.add(lane);
      start(lane);
      first();
      return true;
    }
    return false;
  }

  function join(lane: Lane, waiter: () => void): void {
    const { group } = lane;
    if (group.queued >= maxQueued) {
      closeIfIdle(lane);
      throw onFull();
    }
    group.queued++;
    group.lanes.add(lane);
    lane.waiting ??= new Set();
    lane.waiting.add(waiter);
  }

  function leave(lane: Lane, waiter: () => void): void {
    const { group, waiting } = lane;
    group.queued--;
    waiting?.delete(waiter);
    if (waiting?.size !== 0) return;
    lane.waiting = undefined;
    group.lanes.delete(lane);
  }

  function waitForSlot(lane: Lane, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        for (const signal of signals) signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = ({ target }: Event) => {
        for (const signal of signals) signal?.removeEventListener('abort', giveUp);
        leave(lane, begin);
        closeIfIdle(lane);
        reject((target as AbortSignal).reason);
      };
      join(lane, begin);
      for (const signal of signals) signal?.addEventListener('abort', giveUp);
    });
  }

  async function runFairly<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const stopped = standstill?.();
    stopped?.throwIfAborted();
    const caller = currentCaller();
    const key = caller?.key ?? ownKey;
    const lane = lanes.get(key) ?? openLane(key, caller);
    if (lane.waiting === undefined && mayStart(lane)) start(lane);
    else await waitForSlot(lane, [signal, stopped]);
    try {
      return await work();
    } finally {
      end(lane);
    }
  }

  const load = () => ({ capacity, running, waiting: preferred.queued + others.queued });
  return Object.assign(runFairly, { load });
}

function newGroup(limit: number): Group {
  return { limit, running: 0, queued: 0, lanes: new Set() };
}
