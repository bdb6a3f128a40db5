import type { Database } from '../connection/pool.ts';

const attempts = new WeakMap<Database, Attempt>();

/**
 * Declares that rows of a transaction on a `ReadDatabase` leave it before it ends: from here on it cannot be repeated. Call
 * it before they are taken.
 *
 * @throws if the primary repeats the transaction already
 */
export function handOver(tx: Database): void {
  attempts.get(tx)?.handOver();
}

/**
 * One try to read on the replica, which may hang and go on later. It ends in one of two ways: the primary repeats it, and
 * its own results are lost; or its rows are with the reader, and it is never repeated.
 */
export class Attempt {
  #state: 'open' | 'abandoned' | 'handed over' = 'open';

  get isAbandoned(): boolean {
    return this.#state === 'abandoned';
  }

  /** Lets the primary repeat it. Returns false if rows have already been handed over. */
  abandon(): boolean {
    if (this.#state === 'open') this.#state = 'abandoned';
    return this.isAbandoned;
  }

  handOver(): void {
    this.#check();
    this.#state = 'handed over';
  }

  /** Returns the transaction as its work may see it: without results once it is abandoned. */
  guard(tx: Database): Database {
    const guarded = new Proxy({} as Database, {
      get: (_target, method: keyof Database) => {
        return async (...parameters: unknown[]) => {
          const result = await (tx[method] as (...parameters: unknown[]) => Promise<unknown>)(...parameters);
          this.#check();
          return result;
        };
      },
    });
    attempts.set(guarded, this);
    return guarded;
  }

  #check(): void {
    if (this.isAbandoned) throw new Error('The primary answers this read.');
  }
}
