import type { Command } from 'commander';
import type { EventType } from '../../src/contract/event-types.ts';
import { wait } from '../../src/shared/waiting.ts';
import type { Access } from '../access/access.ts';
import { operationsOf } from '../access/operations.ts';
import { holdAccess } from '../access/with-access.ts';
import { isNotConnected } from '../failures.ts';
import { wordsOf } from '../reference/command.ts';
import { stopSignal } from '../stop-signal.ts';
import { divertOutput, divertRemarks, hasScreen } from '../terminal.ts';
import { type Block, openWatchView } from './watch-view.ts';
import { watchedTypes } from './watched-types.ts';

const pollSeconds = 2;
/** Events tell what changes. This is for the times, which are relative to now. */
const liveSeconds = 30;
/** A burst of events is one change. */
const burstMs = 200;

/** What wakes a command that is watched. */
interface Alarm {
  /** Whether events wake it. Otherwise only time does. */
  isLive: boolean;
  isLost: boolean;
  wake(): void;
  /** Resolves when something has happened since the last call, or after a time. */
  next(timeMs: number): Promise<void>;
}

/**
 * Runs a command again whenever what it shows changes: at once where events tell so, otherwise every other second.
 *
 * @param seconds - the time between two runs; undefined for the default
 */
export async function watchCommand(
  command: Command,
  seconds: number | undefined,
  run: () => Promise<void>,
): Promise<void> {
  const stop = stopSignal();
  const alarm = createAlarm(stop);
  const loop = async (access?: Access) => {
    const types = access === undefined || seconds !== undefined ? undefined : typesOf(command);
    if (types !== undefined && access !== undefined) void follow(access, types, alarm, stop);
    await repeat(wordsOf(command), seconds ?? pollSeconds, run, alarm, stop);
  };
  await (operationsOf(command).length === 0 ? loop() : holdAccess(command, loop));
}

async function repeat(
  title: string,
  seconds: number,
  run: () => Promise<void>,
  alarm: Alarm,
  stop: AbortSignal,
): Promise<void> {
  // What goes wrong at once is an error of the command, and belongs on the usual screen.
  let block = await capture(run);
  const view = openWatchView(title, hasScreen(), () => alarm.wake());
  try {
    while (!stop.aborted) {
      await view.show(block, alarm.isLost ? 'lost' : alarm.isLive ? 'live' : seconds);
      await alarm.next(alarm.isLive ? liveSeconds * 1_000 : seconds * 1_000);
      if (!stop.aborted) block = await again(run, block, alarm);
    }
  } finally {
    view.close();
  }
}

/** Runs the command once more. If the server is away, what it showed last stays. */
async function again(run: () => Promise<void>, last: Block, alarm: Alarm): Promise<Block> {
  try {
    const block = await capture(run);
    alarm.isLost = false;
    return block;
  } catch (error) {
    if (!isNotConnected(error)) throw error;
    alarm.isLost = true;
    alarm.isLive = false;
    return last;
  }
}

async function capture(run: () => Promise<void>): Promise<Block> {
  let text = '';
  const remarks: string[] = [];
  const restoreOutput = divertOutput({
    write(piece, done) {
      text += piece;
      done();
    },
  });
  const restoreRemarks = divertRemarks((remark) => remarks.push(remark));
  try {
    await run();
  } finally {
    restoreOutput();
    restoreRemarks();
  }
  return { text, remarks };
}

function createAlarm(stop: AbortSignal): Alarm {
  let ring = Promise.withResolvers<void>();
  const alarm: Alarm = {
    isLive: false,
    isLost: false,
    wake: () => ring.resolve(),
    async next(timeMs) {
      const over = new AbortController();
      const timer = wait(timeMs, over.signal);
      await Promise.race([ring.promise, timer]);
      over.abort();
      ring = Promise.withResolvers();
    },
  };
  stop.addEventListener('abort', () => alarm.wake(), { once: true });
  return alarm;
}

/** Returns the types of the events that change what a command shows; undefined if none do. */
function typesOf(command: Command): readonly EventType[] | undefined {
  const types = operationsOf(command).flatMap(watchedTypes);
  return types.length === 0 ? undefined : [...new Set(types)];
}

/** Wakes the alarm at each event. Who may not follow events looks again and again instead. */
async function follow(
  access: Access,
  types: readonly EventType[],
  alarm: Alarm,
  stop: AbortSignal,
): Promise<void> {
  try {
    const followed = access.follow({
      types: [...types],
      signal: stop,
      onConnect() {
        alarm.isLive = true;
        alarm.wake();
      },
      onLost() {
        alarm.isLive = false;
        alarm.wake();
      },
    });
    for await (const _event of followed) {
      await wait(burstMs, stop);
      alarm.wake();
    }
  } catch {
    alarm.isLive = false;
    alarm.wake();
  }
}
