import type { AttemptLimit, AttemptRefusal } from '../../db/tables/accounts/limited-attempts.ts';

interface Found {
  readonly refusal: AttemptRefusal;
  /** The number of the question whose answer it is. */
  readonly number: number;
}

/**
 * Shares refusals among the attempts that wait for their turn to ask. A refusal by a key holds for all attempts that count
 * under it and waited when it was asked for: had they asked then, they would have been refused too. So most attempts of a
 * burst need no statement.
 */
export class SharedRefusals {
  /** How many questions were asked. */
  #asked = 0;
  readonly #byKey = new Map<string, Found>();

  /** Returns how many questions were asked before an attempt that now begins to wait for its turn. */
  arrive(): number {
    return this.#asked;
  }

  /**
   * Returns the refusal of an attempt whose turn it is, or null.
   *
   * @param arrived - what `arrive` returned when the attempt began to wait
   * @param ask - asks the database
   */
  async findOr(
    limits: readonly AttemptLimit[],
    arrived: number,
    ask: () => Promise<AttemptRefusal | null>,
  ): Promise<AttemptRefusal | null> {
    const shared = this.#longest(limits, arrived);
    if (shared !== undefined) return shared;
    const number = ++this.#asked;
    const refusal = await ask();
    if (refusal !== null) this.#byKey.set(refusal.key, { refusal, number });
    return refusal;
  }

  /** Forgets the refusal by a key, because an attempt under it has ended. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  /** Forgets all refusals. No attempt waits that could share them. */
  clear(): void {
    this.#byKey.clear();
  }

  #longest(limits: readonly AttemptLimit[], arrived: number): AttemptRefusal | undefined {
    let longest: AttemptRefusal | undefined;
    for (const { key } of limits) {
      const { refusal, number = 0 } = this.#byKey.get(key) ?? {};
      if (number > arrived && secondsOf(refusal) > secondsOf(longest)) longest = refusal;
    }
    return longest;
  }
}

/** Returns the seconds of a refusal, with 0 for one by running attempts only. */
function secondsOf(refusal: AttemptRefusal | undefined): number {
  return refusal === undefined ? -1 : (refusal.seconds ?? 0);
}
