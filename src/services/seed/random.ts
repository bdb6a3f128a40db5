import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Random choices that come out the same for the same seed, on every machine. */
export interface Random {
  /** From 0 up to 1, which it never is. */
  share(): number;
  /** A whole number, both bounds included. */
  whole(minimum: number, maximum: number): number;
  /** True with that probability. */
  chance(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** One of a list that is not empty, each with the weight at its place in the other list. */
  weigh<T>(items: readonly T[], weights: readonly number[]): T;
  /** A duration of that mean: mostly shorter, now and then much longer. */
  wait(mean: number): number;
  /** Choices of their own for one part of the data, so that what one part takes does not change another. */
  fork(): Random;
}

/**
 * Makes random choices.
 *
 * @param seed - a whole number of 32 bits
 */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  // The first numbers resemble the seed; a jump leaves them far behind.
  generator.jump();
  return randomFrom(generator);
}

function randomFrom(generator: RandomGenerator): Random {
  const share = () => uniformFloat64(generator);
  const whole = (minimum: number, maximum: number) => minimum + Math.floor(share() * (maximum - minimum + 1));
  return {
    share,
    whole,
    chance: (probability) => share() < probability,
    pick: <T>(items: readonly T[]) => items[whole(0, items.length - 1)] as T,
    weigh: <T>(items: readonly T[], weights: readonly number[]) => {
      let rest = share() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => {
        rest -= weight;
        return rest < 0;
      });
      return items.at(found) as T;
    },
    wait: (mean) => -Math.log(1 - share()) * mean,
    fork: () => createRandom(generator.next()),
  };
}

const idCharacters = 36;
const suffixLength = 7;

/** An id of the form of the contract's text ids: `<prefix>_<milliseconds since 1970>_<random characters>`. */
export function seedId(prefix: string, time: number, random: Random): string {
  const suffix = random.whole(0, idCharacters ** suffixLength - 1).toString(idCharacters);
  return `${prefix}_${time}_${suffix.padStart(suffixLength, '0')}`;
}
