import { hourMs } from './durations.ts';
import type { Random } from './random.ts';

/** When visitors write: over two years, with growth, mostly on weekdays in office hours, and with some incidents. */
export interface Traffic {
  /** Returns the time, in milliseconds, by which that fraction (0 up to, but not including, 1) has happened. */
  timeAt(fraction: number): number;
  /** Returns the number of the incident at that time, or undefined if there was none. */
  incidentAt(time: number): number | undefined;
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
const noIncident = -1;

/**
 * Creates the traffic of the two years before a time.
 *
 * @param until - in milliseconds; everything happens before it
 */
export function createTraffic(random: Random, until: number): Traffic {
  const start = until - hours * hourMs;
  const incidents = new Int8Array(hours).fill(noIncident);
  const weights = Float64Array.from({ length: hours }, (_, index) => {
    const date = new Date(start + index * hourMs);
    const usual = (hourWeights[date.getUTCHours()] ?? 1) * (weekdayWeights[date.getUTCDay()] ?? 1);
    const growth = 0.6 + (0.8 * index) / hours;
    return usual * growth * (0.75 + 0.5 * random.float());
  });
  for (let incident = 0; incident <= pastIncidents; incident++) {
    // The last incident is today, so that the charts of the last hours show one too.
    const from = incident === pastIncidents ? hours - 20 : random.integer(0, hours - 100);
    const to = from + random.integer(2, 6);
    const strength = random.integer(12, 30);
    for (let index = from; index < to; index++) {
      incidents[index] = incident;
      weights[index] = (weights[index] ?? 0) + strength;
    }
  }
  const sums = runningSums(weights);
  const total = sums.at(-1) ?? 1;

  return {
    timeAt(fraction) {
      const target = fraction * total;
      const index = firstAbove(sums, target);
      const before = sums[index - 1] ?? 0;
      const within = (target - before) / ((sums[index] ?? total) - before);
      return Math.min(until - 1, Math.floor(start + (index + within) * hourMs));
    },
    incidentAt(time) {
      const incident = incidents[Math.floor((time - start) / hourMs)] ?? noIncident;
      return incident === noIncident ? undefined : incident;
    },
  };
}

function runningSums(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}

/** Returns the index of the first of the ascending numbers that is above the target. */
function firstAbove(numbers: Float64Array, target: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
