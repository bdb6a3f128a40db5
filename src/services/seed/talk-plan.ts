import type { Random } from './random.ts';
import { day, hour } from './rhythm.ts';
import type { Ending } from './talk.ts';

const minute = 60_000;

/** Milliseconds between two messages: mostly minutes, at times hours, now and then a night or a day. */
export function pause(random: Random): number {
  const kind = random.share();
  if (kind < 0.7) return Math.floor(random.whole(1, 12) * minute + random.share() * minute);
  if (kind < 0.92) return Math.floor(12 * minute + random.share() * 4 * hour);
  return Math.floor(4 * hour + random.share() * 26 * hour);
}

/** How many messages a talk has, on that average: from 2 on, the fewer the likelier. */
export function chooseLength(random: Random, average: number): number {
  if (average < 2) return 1;
  // The geometric distribution, whose mean is what the average leaves above 2.
  const more = average - 2;
  return 2 + (more === 0 ? 0 : Math.floor(Math.log(1 - random.share()) / Math.log(more / (more + 1))));
}

/** How likely it is that the visitor, or else the team, has the last word, by the time since then. */
const unfinished = [
  { within: 6 * hour, waiting: 0.7, asked: 0.2 },
  { within: 3 * day, waiting: 0.4, asked: 0.25 },
  { within: 14 * day, waiting: 0.12, asked: 0.2 },
  { within: Number.POSITIVE_INFINITY, waiting: 0.005, asked: 0.02 },
] as const;

/** How a talk ends whose last message was written that long ago. */
export function chooseEnding(random: Random, quiet: number): Ending {
  const { waiting, asked } = unfinished.find(({ within }) => quiet < within) ?? unfinished[3];
  const share = random.share();
  if (share < waiting) return random.chance(0.25) ? 'nudging' : 'waiting';
  return share < waiting + asked ? 'asked' : 'done';
}

/** The nearest length that such an ending can have; up or down by chance, so that the average stays. */
export function fitLength(random: Random, length: number, ending: Ending): number {
  const odd = ending === 'waiting' ? 1 : 0;
  if (length % 2 === odd) return length;
  return length + (random.chance(0.5) ? 1 : -1);
}

/** The status of a conversation with such an ending. */
export function chooseStatus(random: Random, ending: Ending, quiet: number): string {
  if (ending === 'asked') return 'pending';
  if (ending !== 'done') return 'open';
  return quiet > 10 * day && random.chance(0.7) ? 'closed' : 'resolved';
}
