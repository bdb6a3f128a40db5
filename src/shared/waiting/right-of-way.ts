import { wait } from './wait.ts';

/** How long one step of long work makes room at most, so that it gets on however much urgent work there is. */
const maxPauseMs = 100;

/** Lets long work that has many steps make room for short work that a person waits for. */
export class RightOfWay {
  #urgent = 0;
  /** Aborts when no urgent work is left. */
  #clear = new AbortController();

  /** Runs short, urgent work. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#urgent++ === 0) this.#clear = new AbortController();
    try {
      return await work();
    } finally {
      if (--this.#urgent === 0) this.#clear.abort();
    }
  }

  /** Resolves when no urgent work runs, or after a tenth of a second. The next step of long work follows. */
  async give(): Promise<void> {
    if (this.#urgent > 0) await wait(maxPauseMs, this.#clear.signal);
  }
}
