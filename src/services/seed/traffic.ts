import type { Random } from './random.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** When visitors write: over two years, with growth, mostly on weekdays in office hours, and with some incidents. */
export interface Traffic {
  /** The traffic until the end of each hour, in any unit. */
  readonly sums: Float64Array;
  /** The number of the incident in each hour, or `noIncident`. */
  readonly incidents: Int8Array;
  /** The end, in milliseconds. */
  readonly until: number;
}

export const noIncident = -1;

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
  const incidents = new Int8Array(hours).fill(noIncident);
  const weights = Float64Array.from(incidents, (_, hour) => {
    const date = new Date(until - (hours - hour) * hourMs);
    const usual = (hourWeights[date.getUTCHours()] ?? 1) * (weekdayWeights[date.getUTCDay()] ?? 1);
    return usual * (0.6 + (0.8 * hour) / hours) * (0.75 + 0.5 * random.float());
  });
  for (let incident = 0; incident <= pastIncidents; incident++) {
    // The last incident is today, so that the charts of the last hours show one too.
    const from = incident === pastIncidents ? hours - 20 : random.integer(0, hours - 100);
    const to = from + random.integer(2, 6);
    const strength = random.integer(12, 30);
    incidents.fill(incident, from, to);
    for (let hour = from; hour < to; hour++) weights[hour] = (weights[hour] ?? 0) + strength;
  }
  let sum = 0;
  return { sums: weights.map((weight) => (sum += weight)), incidents, until };
}

/**
 * Yields times of the traffic, oldest first, with the number of the incident at each.
 *
 * @param skew - 1 for the growth of the traffic; the higher, the more of the times are recent
 */
export function* timesOf(random: Random, { sums, incidents, until }: Traffic, count: number, skew = 1) {
  const total = sums.at(-1) ?? 1;
  let hour = 0;
  for (let index = 0; index < count; index++) {
    const target = (1 - (1 - (index + random.float()) / count) ** skew) * total;
    while ((sums[hour] ?? total) <= target && hour < hours - 1) hour++;
    const before = sums[hour - 1] ?? 0;
    const within = (target - before) / ((sums[hour] ?? total) - before);
    const time = Math.min(until - 1, Math.floor(until - (hours - hour - within) * hourMs));
    yield { time, incident: incidents[hour] ?? noIncident };
  }
}
