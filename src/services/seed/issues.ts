import type { SeedIssue } from '../../db/seed/seed-rows.ts';
import { liveIssue } from './issue-life.ts';
import { type IssueKind, issueKinds, issueWords } from './issue-texts.ts';
import type { Random } from './random.ts';
import type { Rhythm } from './rhythm.ts';
import { createFiller, startUpper } from './template.ts';

const severities = ['Low', 'Medium', 'High', 'Critical'] as const;
/** In an incident, most of what comes in is about it, and it is graver than usual. */
const shareOfIncident = 0.8;
const incidentSeverities = [1, 9, 45, 45] as const;

const kindWeights = issueKinds.map(({ weight }) => weight);
/** What can go wrong for many at once. */
const incidentKinds = issueKinds.filter(({ severities }) => severities[3] >= 20);

/** Makes issues, the oldest first. */
export function* makeIssues(
  random: Random,
  rhythm: Rhythm,
  count: number,
  until: number,
): Generator<SeedIssue> {
  for (let index = 0; index < count; index++) {
    yield makeIssue(random, rhythm, rhythm.timeAt((index + random.share()) / count), until);
  }
}

function makeIssue(random: Random, rhythm: Rhythm, createdAt: number, until: number): SeedIssue {
  const { kind, weights } = chooseKind(random, rhythm.incidentAt(createdAt));
  const severity = random.weigh(severities, weights);
  const { status, updatedAt } = liveIssue(random, severity, createdAt, until);
  const fill = createFiller(random, issueWords);
  return {
    title: startUpper(fill(random.pick(kind.titles))),
    category: kind.category,
    severity,
    description: fill(description(random, kind)),
    // One in eight does not say how to get there.
    steps_to_reproduce: random.chance(0.125) ? '' : fill(numbered(kind.steps)),
    status,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

function chooseKind(random: Random, incident: number | undefined) {
  const struck = incident === undefined ? undefined : incidentKinds[incident % incidentKinds.length];
  if (struck !== undefined && random.chance(shareOfIncident))
    return { kind: struck, weights: incidentSeverities };
  const kind = random.weigh(issueKinds, kindWeights);
  return { kind, weights: kind.severities };
}

function description(random: Random, { details }: IssueKind): string {
  const first = random.whole(0, details.length - 1);
  const second = details[(first + 1) % details.length] ?? '';
  const where = random.chance(0.4) ? ' I use {browser} on {device}.' : '';
  return `${details[first] ?? ''}${random.chance(0.3) ? ` ${second}` : ''}${where}`;
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
}
