interface Waiting<T> {
  readonly order: number;
  readonly enter: (value: T) => void;
}

/** A line of callers that wait for something. Those of the lowest order are first, and among them the first that came. */
export class WaitingLine<T = void> {
  readonly #waiting = new Set<Waiting<T>>();

  get length(): number {
    return this.#waiting.size;
  }

  /** Resolves with what `admit` hands over. Rejects with the reason of the first signal that aborts before that. */
  wait(order: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<T> {
    return new Promise((resolve, reject) => {
      for (const signal of signals) signal?.throwIfAborted();
      const leave = () => {
        this.#waiting.delete(waiting);
        for (const signal of signals) signal?.removeEventListener('abort', giveUp);
      };
      const enter = (value: T) => {
        leave();
        resolve(value);
      };
      const giveUp = ({ target }: Event) => {
        leave();
        reject((target as AbortSignal).reason);
      };
      const waiting = { order, enter };
      this.#waiting.add(waiting);
      for (const signal of signals) signal?.addEventListener('abort', giveUp);
    });
  }

  /** Lets the first of the line go on. */
  admit(value: T): void {
    let first: Waiting<T> | undefined;
    for (const waiting of this.#waiting) {
      if (first === undefined || waiting.order < first.order) first = waiting;
    }
    first?.enter(value);
  }
}
