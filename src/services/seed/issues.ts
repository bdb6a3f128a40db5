import { issueStatuses, severities } from '../../contract/vocabulary.ts';
import type { Random } from './random.ts';
import { createFiller, type Problem, problems } from './texts.ts';
import { dayMs, hourMs, noIncident, type Traffic, timesOf } from './traffic.ts';

/** The mean number of hours until an issue is taken, by severity, worst first. */
const hoursUntilTaken = [2, 10, 40, 110];
/** Resolving an issue takes this many times as long as taking it. */
const resolveFactor = 4;
const meanClosingMs = 12 * dayMs;
/** The weight of each status as the last one: some issues are never taken, resolved or closed. */
const lastStatusWeights = [3, 2, 25, 70];

/** During an incident most issues are about it, and they are more severe than usual. */
const incidentChance = 0.8;
const incidentSeverities = [45, 45, 9, 1];
/** The problems that can affect many visitors at once. */
const incidentProblems = problems.filter(({ severities: [critical = 0] }) => critical >= 20);
const problemWeights = problems.map(({ weight }) => weight);

/** Makes issues, oldest first. */
export function* makeIssues(random: Random, traffic: Traffic, count: number) {
  for (const { time, incident } of timesOf(random, traffic, count)) {
    const isAboutIncident = incident !== noIncident && random.chance(incidentChance);
    const problem = isAboutIncident
      ? incidentProblems[incident % incidentProblems.length]
      : random.pickWeighted(problems, problemWeights);
    if (problem === undefined) continue;
    yield makeIssue(random, problem, {
      weights: isAboutIncident ? incidentSeverities : problem.severities,
      createdAt: time,
      until: traffic.until,
    });
  }
}

interface IssueOptions {
  /** Of the severities. */
  readonly weights: readonly number[];
  readonly createdAt: number;
  readonly until: number;
}

function makeIssue(random: Random, problem: Problem, { weights, createdAt, until }: IssueOptions) {
  const severity = random.pickWeighted(severities, weights);
  const fill = createFiller(random);
  const [detail = '', ...others] = random.chance(0.5) ? problem.details : problem.details.toReversed();
  const more = random.chance(0.3) ? ` ${random.pick(others)}` : '';
  const where = random.chance(0.4) ? ' I use {browser} on {device}.' : '';
  const steps = problem.steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return {
    title: fill(random.pick(problem.titles)),
    category: problem.category,
    severity,
    description: fill(`${detail}${more}${where}`),
    // One report in eight has no steps.
    steps_to_reproduce: random.chance(0.125) ? '' : fill(steps),
    ...makeProgress(random, severity, createdAt, until),
  };
}

/** Chooses the status of an issue at a time: the older and the more severe, the more likely it is closed. */
function makeProgress(
  random: Random,
  severity: (typeof severities)[number],
  createdAt: number,
  until: number,
) {
  const takenMs = (hoursUntilTaken[severities.indexOf(severity)] ?? 0) * hourMs;
  const stepMs = [0, takenMs, takenMs * resolveFactor, meanClosingMs];
  const lastStep = issueStatuses.indexOf(random.pickWeighted(issueStatuses, lastStatusWeights));
  let step = 0;
  let updatedAt = createdAt;
  while (step < lastStep) {
    const next = updatedAt + random.exponential(stepMs[step + 1] ?? 0);
    if (next >= until) break;
    updatedAt = next;
    step++;
  }
  return {
    status: issueStatuses[step] ?? 'Open',
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}
