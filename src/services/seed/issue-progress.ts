import type { IssueStatus } from '../../contract/vocabulary.ts';
import { dayMs, hourMs } from './durations.ts';
import type { Random } from './random.ts';

/** The status of an issue, and when it was reached. */
export interface IssueProgress {
  readonly status: IssueStatus;
  readonly updatedAt: number;
}

/** The mean number of hours until an issue is taken. */
const hoursUntilTaken: Readonly<Record<string, number>> = { Critical: 2, High: 10, Medium: 40, Low: 110 };
/** Resolving an issue takes this many times as long as taking it. */
const resolveFactor = 4;
const meanClosingMs = 12 * dayMs;
/** The weight of each status as the last one: some issues are never taken, resolved or closed. */
const lastStepWeights = [3, 2, 25, 70] as const;

/** Chooses the status of an issue at a time: the older and the more severe, the more likely it is closed. */
export function chooseProgress(
  random: Random,
  severity: string,
  createdAt: number,
  until: number,
): IssueProgress {
  const meanMs = (hoursUntilTaken[severity] ?? 40) * hourMs;
  const takenAt = createdAt + random.exponential(meanMs);
  const resolvedAt = takenAt + random.exponential(meanMs * resolveFactor);
  const closedAt = resolvedAt + random.exponential(meanClosingMs);
  const lastStep = random.pickWeighted([0, 1, 2, 3], lastStepWeights);
  const steps = [
    { status: 'Open', at: createdAt },
    { status: 'In Progress', at: takenAt },
    { status: 'Resolved', at: resolvedAt },
    { status: 'Closed', at: closedAt },
  ] as const;
  const { status, at } = steps.findLast(({ at }, step) => step <= lastStep && at < until) ?? steps[0];
  return { status, updatedAt: Math.floor(at) };
}
