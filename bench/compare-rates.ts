import { checkSameAnswer, measureRate, type Request } from './load.ts';
import type { Contender } from './servers/contender.ts';

const warmUpSeconds = 1;
const roundSeconds = 1.5;
const rounds = 5;

/** A server and the request that it is loaded with. */
export type Load = readonly [Contender, Request];

/** The result of comparing two loads. */
export interface Comparison {
  /** Requests per second, the median of all rounds. */
  readonly subject: number;
  readonly reference: number;
  /** The median of the ratios of the rounds, so that a busy moment of the machine affects both. */
  readonly ratio: number;
}

/** Applies two loads alternately, in several rounds. They take turns to go first. */
export async function compareRates(subject: Load, reference: Load): Promise<Comparison> {
  const rate = ([contender, request]: Load) => measureRate(contender, request, roundSeconds);
  for (const [contender, request] of [subject, reference]) {
    await measureRate(contender, request, warmUpSeconds);
  }
  const results: Comparison[] = [];
  for (let round = 0; round < rounds; round++) {
    const subjectFirst = round % 2 === 0 ? await rate(subject) : undefined;
    const referenceRate = await rate(reference);
    const subjectRate = subjectFirst ?? (await rate(subject));
    results.push({ subject: subjectRate, reference: referenceRate, ratio: subjectRate / referenceRate });
  }
  return {
    subject: median(results.map((result) => result.subject)),
    reference: median(results.map((result) => result.reference)),
    ratio: median(results.map((result) => result.ratio)),
  };
}

/** Compares two servers that must give the same answer. */
export async function compareEqualServers(
  subject: Contender,
  reference: Contender,
  request: Request,
): Promise<Comparison> {
  await checkSameAnswer(subject, reference, request);
  return await compareRates([subject, request], [reference, request]);
}

/** Returns the median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
