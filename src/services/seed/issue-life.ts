import type { IssueStatus } from '../../contract/vocabulary.ts';
import type { Random } from './random.ts';
import { day, hour } from './rhythm.ts';

/** How far an issue has come, and when it got there. */
export interface Life {
  readonly status: IssueStatus;
  readonly updatedAt: number;
}

/** Hours until somebody takes an issue on. Until it is resolved it takes some times that. */
const patience: Readonly<Record<string, number>> = { Critical: 2, High: 10, Medium: 40, Low: 110 };
const resolving = 4;
const closing = 12 * day;
/** How often each step is the last: some are never looked at, some never end, some are never confirmed. */
const ends = [3, 2, 25, 70] as const;

/** What becomes of an issue by a time: the older and the graver it is, the more likely it is done with. */
export function liveIssue(random: Random, severity: string, createdAt: number, until: number): Life {
  const unit = (patience[severity] ?? 40) * hour;
  const takenAt = createdAt + random.wait(unit);
  const resolvedAt = takenAt + random.wait(unit * resolving);
  const closedAt = resolvedAt + random.wait(closing);
  const end = random.weigh([0, 1, 2, 3], ends);
  const steps = [
    { status: 'Open', at: createdAt },
    { status: 'In Progress', at: takenAt },
    { status: 'Resolved', at: resolvedAt },
    { status: 'Closed', at: closedAt },
  ] as const;
  const { status, at } = steps.findLast(({ at }, step) => step <= end && at < until) ?? steps[0];
  return { status, updatedAt: Math.floor(at) };
}
