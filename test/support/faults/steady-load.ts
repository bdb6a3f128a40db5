import { setTimeout as pause } from 'node:timers/promises';

/** How often each failure occurred. */
export type Failures = Readonly<Record<string, number>>;

/** Requests that are sent at a steady rate. */
export interface SteadyLoad {
  readonly sent: number;
  /** Sends no more, and resolves with the number of requests and what went wrong with some. */
  finish(): Promise<{ readonly sent: number; readonly failures: Failures }>;
}

/**
 * Sends requests at a rate, however long each takes.
 *
 * @param send - sends the request with that number, and rejects if it fails
 * @param atMost - how many may be without an answer; then the next ones wait, as those of so many clients would
 */
export function startSteadyLoad(
  perSecond: number,
  send: (number: number) => Promise<void>,
  atMost = Number.POSITIVE_INFINITY,
): SteadyLoad {
  const failures: Record<string, number> = {};
  const running = new Set<Promise<void>>();
  let sent = 0;
  let nextAt = performance.now();
  let isFinishing = false;

  const sending = (async () => {
    while (!isFinishing) {
      while (nextAt <= performance.now() && running.size < atMost) {
        nextAt += 1_000 / perSecond;
        const one = send(sent++).catch((error: Error) => {
          const reason = `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`;
          failures[reason] = (failures[reason] ?? 0) + 1;
        });
        running.add(one);
        void one.then(() => running.delete(one));
      }
      await pause(5);
      // What was not sent because too many had no answer is not made up for.
      if (running.size >= atMost) nextAt = performance.now();
    }
  })();

  return {
    get sent() {
      return sent;
    },
    async finish() {
      isFinishing = true;
      await sending;
      await Promise.all(running);
      return { sent, failures };
    },
  };
}
