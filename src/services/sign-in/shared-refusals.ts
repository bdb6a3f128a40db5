import type { AttemptLimit, AttemptRefusal } from '../../db/tables/accounts/limited-attempts.ts';

interface Found {
  readonly refusal: AttemptRefusal;
  /** The number of the question. */
  readonly number: number;
}

/**
 * Shares refusals among the attempts that wait for their turn to ask. A refusal holds for all attempts with the same key that
 * arrived before it was asked for: had they asked then, they would have been refused too. So most attempts of a burst need
 * no statement.
 */
export class SharedRefusals {
  /** How many attempts have asked. */
  #asked = 0;
  readonly #byKey = new Map<string, Found>();

  /** Returns the moment of an attempt that begins to wait for its turn. */
  arrive(): number {
    return this.#asked;
  }

  /**
   * Returns the refusal of an attempt whose turn it is, or null.
   *
   * @param arrived - the moment when it began to wait
   * @param ask - asks the database
   */
  async findOr(
    limits: readonly AttemptLimit[],
    arrived: number,
    ask: () => Promise<AttemptRefusal | null>,
  ): Promise<AttemptRefusal | null> {
    for (const { key } of limits) {
      const found = this.#byKey.get(key);
      if (found !== undefined && found.number > arrived) return found.refusal;
    }
    const number = ++this.#asked;
    const refusal = await ask();
    if (refusal !== null) this.#byKey.set(refusal.key, { refusal, number });
    return refusal;
  }

  /** Forgets the refusal by a key, because an attempt under it has ended. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  /** Forgets all refusals. To be called when no attempt waits for its turn. */
  clear(): void {
    this.#byKey.clear();
  }
}
