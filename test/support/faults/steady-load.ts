import { setTimeout as pause } from 'node:timers/promises';

/** Requests that are sent at a steady rate, however long each takes. */
export interface SteadyLoad {
  readonly sent: number;
  /** Sends no more, and resolves with the number of requests and what went wrong with some. */
  finish(): Promise<{ readonly sent: number; readonly failures: readonly string[] }>;
}

/**
 * Sends requests at a rate.
 *
 * @param send - sends the request with that number, and rejects if it fails
 */
export function startSteadyLoad(perSecond: number, send: (number: number) => Promise<void>): SteadyLoad {
  const failures: string[] = [];
  const running = new Set<Promise<void>>();
  const start = performance.now();
  let sent = 0;
  let isFinishing = false;

  const sending = (async () => {
    while (!isFinishing) {
      while (sent < ((performance.now() - start) / 1_000) * perSecond) {
        const one = send(sent++).catch((error: Error) => {
          failures.push(`${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`);
        });
        running.add(one);
        void one.then(() => running.delete(one));
      }
      await pause(5);
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
