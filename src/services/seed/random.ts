import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A random generator that returns the same values for the same seed, on every machine. */
export class Random {
  readonly #generator;

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

  integer(min: number, max: number): number {
    return min + Math.floor(this.float() * (max - min + 1));
  }

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

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** When visitors write: over two years, with growth, mostly on weekdays in office hours, and with some incidents. */
export interface Traffic {
  /** The traffic from the start to the end of each hour, in any unit. */
  readonly sums: Float64Array;
  /** The hours in which something was broken for many. */
  readonly incidents: ReadonlySet<number>;
  readonly until: number;
}

const hours = 2 * 365 * 24;
/** The traffic in each hour of the day in UTC, relative to the mean. */
const hourWeights = [
  0.2, 0.15, 0.1, 0.1, 0.15, 0.3, 0.6, 1, 1.6, 2.1, 2.3, 2.2, 1.7, 1.9, 2.1, 2, 1.7, 1.3, 1, 0.9, 0.8, 0.7,
  0.5, 0.3,
] as const;
/** The traffic on each day of the week from Sunday, relative to the mean. */
const weekdayWeights = [0.35, 1.25, 1.2, 1.15, 1.1, 1, 0.45] as const;
const pastIncidents = 12;

/** Creates the traffic of the two years before a time. */
export function createTraffic(random: Random, until: number): Traffic {
  const incidents = new Set<number>();
  // The last incident is today, so that the charts of the last hours show one too.
  const starts = [...Array.from({ length: pastIncidents }, () => random.integer(0, hours - 100)), hours - 20];
  for (const start of starts) {
    for (let hour = start + random.integer(2, 6); hour > start; hour--) incidents.add(hour);
  }
  let sum = 0;
  const sums = Float64Array.from({ length: hours }, (_, hour) => {
    const date = new Date(until - (hours - hour) * hourMs);
    const usual = (hourWeights[date.getUTCHours()] ?? 1) * (weekdayWeights[date.getUTCDay()] ?? 1);
    const growth = 0.6 + (0.8 * hour) / hours;
    sum += usual * growth * (0.75 + 0.5 * random.float());
    if (incidents.has(hour)) sum += random.integer(12, 30);
    return sum;
  });
  return { sums, incidents, until };
}

/** Returns the time by which that fraction of the traffic (from 0 up to 1) has happened, and whether it is in an incident. */
export function timeAt({ sums, incidents, until }: Traffic, fraction: number) {
  const target = fraction * (sums.at(-1) ?? 1);
  let hour = 0;
  let end = hours - 1;
  while (hour < end) {
    const middle = (hour + end) >> 1;
    if ((sums[middle] ?? 0) > target) end = middle;
    else hour = middle + 1;
  }
  const before = sums[hour - 1] ?? 0;
  const within = (target - before) / ((sums[hour] ?? 1) - before);
  const time = Math.min(until - 1, Math.floor(until - (hours - hour - within) * hourMs));
  return { time, isIncident: incidents.has(hour) };
}
