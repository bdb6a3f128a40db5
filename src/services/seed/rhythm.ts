import type { Random } from './random.ts';

/** When people write: over two years, more and more, mostly on weekdays and in office hours, with some incidents. */
export interface Rhythm {
  /** The time, in milliseconds, by which that share (0 to 1, less than 1) of everything has happened. */
  timeAt(share: number): number;
  /** The number of the incident that was on at that time, if one was. */
  incidentAt(time: number): number | undefined;
}

export const hour = 3_600_000;
export const day = 24 * hour;

const hours = 2 * 365 * 24;
/** How much happens in each hour of a day in UTC, against the mean. */
const hoursOfDay = [
  0.2, 0.15, 0.1, 0.1, 0.15, 0.3, 0.6, 1, 1.6, 2.1, 2.3, 2.2, 1.7, 1.9, 2.1, 2, 1.7, 1.3, 1, 0.9, 0.8, 0.7,
  0.5, 0.3,
] as const;
/** And on each day of a week, from Sunday on. */
const daysOfWeek = [0.35, 1.25, 1.2, 1.15, 1.1, 1, 0.45] as const;
const pastIncidents = 12;
const noIncident = -1;

/**
 * Makes a rhythm of the two years up to a time.
 *
 * @param until - in milliseconds; nothing happens at this time or later
 */
export function createRhythm(random: Random, until: number): Rhythm {
  const start = until - hours * hour;
  const incidents = new Int8Array(hours).fill(noIncident);
  const weights = Float64Array.from({ length: hours }, (_, index) => {
    const date = new Date(start + index * hour);
    const usual = (hoursOfDay[date.getUTCHours()] ?? 1) * (daysOfWeek[date.getUTCDay()] ?? 1);
    const growth = 0.6 + (0.8 * index) / hours;
    return usual * growth * (0.75 + 0.5 * random.share());
  });
  for (let incident = 0; incident <= pastIncidents; incident++) {
    // The last one is of today, so that there is something to see in the newest charts too.
    const from = incident === pastIncidents ? hours - 20 : random.whole(0, hours - 100);
    const to = from + random.whole(2, 6);
    const strength = random.whole(12, 30);
    for (let index = from; index < to; index++) {
      incidents[index] = incident;
      weights[index] = (weights[index] ?? 0) + strength;
    }
  }
  const sums = runningSums(weights);
  const total = sums.at(-1) ?? 1;

  return {
    timeAt(share) {
      const target = share * total;
      const index = firstAbove(sums, target);
      const before = sums[index - 1] ?? 0;
      const within = (target - before) / ((sums[index] ?? total) - before);
      return Math.min(until - 1, Math.floor(start + (index + within) * hour));
    },
    incidentAt(time) {
      const incident = incidents[Math.floor((time - start) / hour)] ?? noIncident;
      return incident === noIncident ? undefined : incident;
    },
  };
}

function runningSums(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => (sum += weight));
}

/** The index of the first of ascending numbers that is above the target. */
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
