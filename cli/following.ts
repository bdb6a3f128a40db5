import type { Command } from 'commander';
import { seconds, wholeNumber } from './input/arguments.ts';
import { stopSignal } from './stop-signal.ts';
import { remark } from './terminal.ts';

/** When a command that follows ends by itself. */
export interface EndOptions {
  readonly limit?: number;
  /** Seconds. */
  readonly for?: number;
}

/** Lets a command that follows end by itself. */
export function withEnd<C extends Command>(command: C): C {
  return command
    .option('--limit <number>', 'end after so many', wholeNumber(1))
    .option('--for <time>', 'end after this time: 90s, 5m, 2h', seconds);
}

/** Aborts at Ctrl-C, and when the time is over. */
export function endOf({ for: time }: EndOptions): AbortSignal {
  const timeout = time === undefined ? [] : [AbortSignal.timeout(time * 1_000)];
  return AbortSignal.any([stopSignal(), ...timeout]);
}

/** What a command says on standard error of the connection that it follows on. */
export function followRemarks() {
  let again = false;
  return {
    onConnect() {
      remark(again ? 'Connected again.' : 'Following what happens; Ctrl-C ends it.');
      again = true;
    },
    onLost: () => remark('The connection is lost; trying again.'),
  };
}
