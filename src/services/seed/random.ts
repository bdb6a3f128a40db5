import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A random generator that returns the same values for the same seed, on every machine. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  float(): number;
  /** Returns an integer between the bounds, both included. */
  integer(min: number, max: number): number;
  /** Returns true with that probability. */
  chance(probability: number): boolean;
  /** Returns an item of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** Returns an item of a list that is not empty, by the weights in the other list. */
  pickWeighted<T>(items: readonly T[], weights: readonly number[]): T;
  /** Returns a number of the exponential distribution with that mean. */
  exponential(mean: number): number;
  /** Returns an independent generator, so that a change in one part of the data does not change the others. */
  fork(): Random;
}

/** @param seed - an integer of 32 bits */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  // The first numbers resemble the seed; the jump skips them.
  generator.jump();
  return randomFrom(generator);
}

function randomFrom(generator: RandomGenerator): Random {
  const float = () => uniformFloat64(generator);
  const integer = (min: number, max: number) => min + Math.floor(float() * (max - min + 1));
  return {
    float,
    integer,
    chance: (probability) => float() < probability,
    pick: <T>(items: readonly T[]) => items[integer(0, items.length - 1)] as T,
    pickWeighted: <T>(items: readonly T[], weights: readonly number[]) => {
      let rest = float() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => {
        rest -= weight;
        return rest < 0;
      });
      return items.at(found) as T;
    },
    exponential: (mean) => -Math.log(1 - float()) * mean,
    fork: () => createRandom(generator.next()),
  };
}

const idCharacters = 36;
const suffixLength = 7;

/** Returns an id in the form of the contract's text ids: `<prefix>_<milliseconds since 1970>_<random characters>`. */
export function seedId(prefix: string, time: number, random: Random): string {
  const suffix = random.integer(0, idCharacters ** suffixLength - 1).toString(idCharacters);
  return `${prefix}_${time}_${suffix.padStart(suffixLength, '0')}`;
}
