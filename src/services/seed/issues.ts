import type { SeedIssue } from '../../db/seed/seed-rows.ts';
import { chooseProgress } from './issue-progress.ts';
import { type IssueKind, issueKinds, issueWords } from './issue-texts.ts';
import { createFiller, startUpper } from './placeholders.ts';
import type { Random } from './random.ts';
import type { Traffic } from './traffic.ts';

const severities = ['Low', 'Medium', 'High', 'Critical'] as const;
/** During an incident most issues are about it, and they are more severe than usual. */
const incidentChance = 0.8;
const incidentSeverities = [1, 9, 45, 45] as const;

const kindWeights = issueKinds.map(({ weight }) => weight);
/** The kinds of problem that can affect many visitors at once. */
const incidentKinds = issueKinds.filter(({ severities }) => severities[3] >= 20);

/** Makes issues, oldest first. */
export function* makeIssues(
  random: Random,
  traffic: Traffic,
  count: number,
  until: number,
): Generator<SeedIssue> {
  for (let index = 0; index < count; index++) {
    yield makeIssue(random, traffic, traffic.timeAt((index + random.float()) / count), until);
  }
}

function makeIssue(random: Random, traffic: Traffic, createdAt: number, until: number): SeedIssue {
  const { kind, weights } = chooseKind(random, traffic.incidentAt(createdAt));
  const severity = random.pickWeighted(severities, weights);
  const { status, updatedAt } = chooseProgress(random, severity, createdAt, until);
  const fill = createFiller(random, issueWords);
  return {
    title: startUpper(fill(random.pick(kind.titles))),
    category: kind.category,
    severity,
    description: fill(description(random, kind)),
    // One report in eight has no steps.
    steps_to_reproduce: random.chance(0.125) ? '' : fill(numbered(kind.steps)),
    status,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

function chooseKind(random: Random, incident: number | undefined) {
  const incidentKind = incident === undefined ? undefined : incidentKinds[incident % incidentKinds.length];
  if (incidentKind !== undefined && random.chance(incidentChance))
    return { kind: incidentKind, weights: incidentSeverities };
  const kind = random.pickWeighted(issueKinds, kindWeights);
  return { kind, weights: kind.severities };
}

function description(random: Random, { details }: IssueKind): string {
  const first = random.integer(0, details.length - 1);
  const second = details[(first + 1) % details.length] ?? '';
  const where = random.chance(0.4) ? ' I use {browser} on {device}.' : '';
  return `${details[first] ?? ''}${random.chance(0.3) ? ` ${second}` : ''}${where}`;
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
}
