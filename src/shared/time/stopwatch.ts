/** Adds up the time of work that runs one at a time. */
export class Stopwatch {
  #totalMs = 0;
  #startedAt: number | undefined;

  /** The time so far, with that of the work that runs now. */
  get ms(): number {
    return this.#totalMs + (this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt);
  }

  /** Runs work and counts its time. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    this.#startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#totalMs = this.ms;
      this.#startedAt = undefined;
    }
  }
}
