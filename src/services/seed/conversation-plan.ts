import type { Ending } from './conversation-script.ts';
import { dayMs, hourMs, minuteMs } from './durations.ts';
import type { Random } from './random.ts';

/** Chooses the time between two messages: mostly minutes, sometimes hours, rarely a night or a day. */
export function replyDelayMs(random: Random): number {
  const kind = random.float();
  if (kind < 0.7) return Math.floor(random.integer(1, 12) * minuteMs + random.float() * minuteMs);
  if (kind < 0.92) return Math.floor(12 * minuteMs + random.float() * 4 * hourMs);
  return Math.floor(4 * hourMs + random.float() * 26 * hourMs);
}

/** Chooses the number of messages of a conversation: 2 or more, the fewer the more likely, with the given average. */
export function chooseLength(random: Random, average: number): number {
  if (average < 2) return 1;
  // A geometric distribution, whose mean is the rest of the average above 2.
  const more = average - 2;
  return 2 + (more === 0 ? 0 : Math.floor(Math.log(1 - random.float()) / Math.log(more / (more + 1))));
}

/** The probability that the last word is the visitor's or a question of the team, by the time since then. */
const unfinished = [
  { withinMs: 6 * hourMs, waiting: 0.7, asked: 0.2 },
  { withinMs: 3 * dayMs, waiting: 0.4, asked: 0.25 },
  { withinMs: 14 * dayMs, waiting: 0.12, asked: 0.2 },
  { withinMs: Number.POSITIVE_INFINITY, waiting: 0.005, asked: 0.02 },
] as const;

/** Chooses how a conversation ends, given the time since its last message. */
export function chooseEnding(random: Random, quietMs: number): Ending {
  const { waiting, asked } = unfinished.find(({ withinMs }) => quietMs < withinMs) ?? unfinished[3];
  const choice = random.float();
  if (choice < waiting) return random.chance(0.25) ? 'nudging' : 'waiting';
  return choice < waiting + asked ? 'asked' : 'done';
}

/** Returns the nearest length that the ending allows. It rounds up or down at random, which keeps the average. */
export function fitLength(random: Random, length: number, ending: Ending): number {
  const odd = ending === 'waiting' ? 1 : 0;
  if (length % 2 === odd) return length;
  return length + (random.chance(0.5) ? 1 : -1);
}

/** Chooses the status of a conversation with that ending. */
export function chooseStatus(random: Random, ending: Ending, quietMs: number): string {
  if (ending === 'asked') return 'pending';
  if (ending !== 'done') return 'open';
  return quietMs > 10 * dayMs && random.chance(0.7) ? 'closed' : 'resolved';
}
