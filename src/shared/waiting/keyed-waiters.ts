/** Lets callers wait under a key until another caller wakes them, first come, first served. */
export class KeyedWaiters {
  readonly #byKey = new Map<string, Set<() => void>>();
  readonly #limit: number;
  #count = 0;

  /** @param limit - how many callers may wait, across all keys */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reports whether the limit is reached. `wait` does not check it. */
  get isFull(): boolean {
    return this.#count >= this.#limit;
  }

  /** Resolves after `wake`, or after the timeout. */
  wait(key: string, timeoutMs: number): Promise<void> {
    const waiting = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, waiting);
    this.#count++;
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0) this.#byKey.delete(key);
        this.#count--;
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      waiting.add(wake);
    });
  }

  /** Wakes the caller that has waited longest under the key. */
  wake(key: string): void {
    const [first] = this.#byKey.get(key) ?? [];
    first?.();
  }

  /** Wakes all callers that wait under the key. */
  wakeAll(key: string): void {
    for (const wake of [...(this.#byKey.get(key) ?? [])]) wake();
  }
}
