import type { Command } from 'commander';
import { seconds, wholeNumber } from './input/arguments.ts';
import { stopSignal } from './stop-signal.ts';
import { remark } from './terminal.ts';

/** When a command that follows events ends automatically. */
export interface EndOptions {
  readonly limit?: number;
  /** Seconds. */
  readonly for?: number;
}

/** Adds the options with which a command that follows events ends automatically. */
export function withEnd<C extends Command>(command: C): C {
  return command
    .option('--limit <number>', 'stop after this many', wholeNumber(1))
    .option('--for <time>', 'stop after this time: 90s, 5m, 2h', seconds);
}

/** Returns a signal that aborts on Ctrl-C and when the time is over. */
export function endOf({ for: time }: EndOptions): AbortSignal {
  const stop = stopSignal();
  if (time === undefined) return stop;
  const end = new AbortController();
  stop.addEventListener('abort', () => end.abort(stop.reason));
  // Not AbortSignal.timeout: without a listener, `any` would lose it to the garbage collector, and follow for ever.
  setTimeout(() => end.abort(), time * 1_000).unref();
  return end.signal;
}

/** Returns listeners that report the state of the connection on standard error. */
export function followRemarks() {
  let hasConnected = false;
  return {
    onConnect() {
      remark(hasConnected ? 'Reconnected.' : 'Following events. Press Ctrl-C to stop.');
      hasConnected = true;
    },
    onLost: () => remark('Connection lost. Reconnecting.'),
  };
}
