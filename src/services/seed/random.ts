import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A random generator that returns the same values for the same seed, on every machine. */
export class Random {
  readonly #generator;

  /** @param seed - an integer of 32 bits */
  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
    // The first numbers resemble the seed; the jump skips them.
    this.#generator.jump();
  }

  /** Returns an independent generator, so that a change in one part of the data does not change the others. */
  fork(): Random {
    return new Random(this.#generator.next());
  }

  /** Returns a number from 0 up to, but not including, 1. */
  float(): number {
    return uniformFloat64(this.#generator);
  }

  /** Returns an integer between the bounds, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.float() * (max - min + 1));
  }

  /** Returns true with that probability. */
  chance(probability: number): boolean {
    return this.float() < probability;
  }

  /** Returns a number of the exponential distribution with that mean. */
  exponential(mean: number): number {
    return -Math.log(1 - this.float()) * mean;
  }

  /** Returns an item of a list that is not empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** Returns an item of a list that is not empty, the first ones most often. */
  pickEarly<T>(items: readonly T[]): T {
    return items[Math.floor(this.float() ** 1.5 * items.length)] as T;
  }

  /** Returns an item of a list that is not empty, by the weights in the other list. */
  pickWeighted<T>(items: readonly T[], weights: readonly number[]): T {
    let rest = this.float() * weights.reduce((sum, weight) => sum + weight, 0);
    const found = weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    });
    return items.at(found) as T;
  }

  /** Returns an id in the form of the contract's text ids: `<prefix>_<milliseconds since 1970>_<random characters>`. */
  id(prefix: string, time: number): string {
    const suffix = this.integer(0, 36 ** 7 - 1).toString(36);
    return `${prefix}_${time}_${suffix.padStart(7, '0')}`;
  }
}
