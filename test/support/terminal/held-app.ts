import { setImmediate } from 'node:timers/promises';
import type { App } from '../../../cli/tui/state/app.ts';

/** A call of a screen that waits for its answer. */
export interface HeldCall {
  readonly id: string;
  /** Answers, and resolves when the effects of the answer have happened. */
  answer(output: object): Promise<void>;
  refuse(sentence: string): Promise<void>;
}

/** Creates an app whose calls the test answers, in any order. */
export function createHeldApp(): { readonly app: App; readonly calls: HeldCall[] } {
  const calls: HeldCall[] = [];
  const call = (id: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    calls.push({
      id,
      answer(output) {
        resolve(output);
        return setImmediate();
      },
      refuse(sentence) {
        reject(new Error(sentence));
        return setImmediate();
      },
    });
    return promise;
  };
  const app = { call, explain: (error: Error) => error.message } as unknown as App;
  return { app, calls };
}
