import type { Random } from './random.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** When visitors write: over two years, with growth, mostly on weekdays in office hours, and with some incidents. */
export interface Traffic {
  /** The traffic from the start to the end of each hour, in any unit. */
  readonly sums: Float64Array;
  /** The hours in which something was broken for many. */
  readonly incidents: ReadonlySet<number>;
  /** The end, in milliseconds. */
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
