import { issueStatuses, severities } from '../../contract/vocabulary.ts';
import { dayMs, hourMs, type Random, type Traffic, timeAt } from './random.ts';
import { createFiller, problems } from './texts.ts';

type Severity = (typeof severities)[number];

/** The mean number of hours until an issue is taken. */
const hoursUntilTaken: Readonly<Record<Severity, number>> = { Critical: 2, High: 10, Medium: 40, Low: 110 };
/** Resolving an issue takes this many times as long as taking it. */
const resolveFactor = 4;
const meanClosingMs = 12 * dayMs;
/** The weight of each status as the last one: some issues are never taken, resolved or closed. */
const lastStepWeights = [3, 2, 25, 70];

/** The problems that can affect many visitors at once. */
const incidentProblems = problems.filter(({ severities: [critical = 0] }) => critical >= 20);

/** Makes the issue that is reported after that fraction of the traffic. */
export function makeIssue(random: Random, traffic: Traffic, fraction: number) {
  const { time, isIncident } = timeAt(traffic, fraction);
  const problem = random.pickEarly(isIncident ? incidentProblems : problems);
  const severity = random.pickWeighted(severities, problem.severities);
  const fill = createFiller(random);
  const where = random.chance(0.4) ? ' I use {browser} on {device}.' : '';
  const steps = problem.steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return {
    title: fill(random.pick(problem.titles)),
    category: problem.category,
    severity,
    description: fill(random.pick(problem.details) + where),
    // One report in eight has no steps.
    steps_to_reproduce: random.chance(0.125) ? '' : fill(steps),
    ...makeProgress(random, severity, time, traffic.until),
  };
}

/** Chooses the status of an issue at a time: the older and the more severe, the more likely it is closed. */
function makeProgress(random: Random, severity: Severity, createdAt: number, until: number) {
  const takenMs = hoursUntilTaken[severity] * hourMs;
  const meansMs = [takenMs, takenMs * resolveFactor, meanClosingMs];
  const lastStep = random.pickWeighted([0, 1, 2, 3], lastStepWeights);
  let step = 0;
  let updatedAt = createdAt;
  while (step < lastStep) {
    const next = updatedAt + random.exponential(meansMs[step] ?? 0);
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
