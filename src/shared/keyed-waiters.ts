/** Lets callers wait for something to happen under a key. Whoever has waited longest is woken first. */
export class Waiters {
  readonly #byKey = new Map<string, Set<() => void>>();
  readonly #most: number;
  #count = 0;

  /** @param most - how many should wait, under all keys together */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether no more should wait. */
  get isCrowded(): boolean {
    return this.#count >= this.#most;
  }

  /** Waits for `wake`, or for so many milliseconds. */
  wait(key: string, milliseconds: number): Promise<void> {
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
      const timer = setTimeout(wake, milliseconds);
      waiting.add(wake);
    });
  }

  /** Wakes one of those who wait under that key. */
  wake(key: string): void {
    const [first] = this.#byKey.get(key) ?? [];
    first?.();
  }
}
