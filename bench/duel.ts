import type { Contender } from './contender.ts';
import { checkSameAnswer, measureRate, type Request } from './load.ts';

const warmUpSeconds = 2;
const roundSeconds = 2;
const rounds = 7;

/** What a duel of two servers gave. */
export interface Outcome {
  /** Requests per second, the median of all rounds. */
  readonly challenger: number;
  readonly reference: number;
  /** The median of what each round gave, so that a disturbance of the machine falls on both. */
  readonly ratio: number;
}

/**
 * Loads two servers in turn, round after round. Neither is loaded while the other is, and each round's two halves
 * follow each other closely, the first one changing.
 */
export async function duel(challenger: Contender, reference: Contender, request: Request): Promise<Outcome> {
  const rate = (contender: Contender) => measureRate(contender, request, roundSeconds);
  for (const contender of [challenger, reference]) await measureRate(contender, request, warmUpSeconds);
  const results: Outcome[] = [];
  for (let round = 0; round < rounds; round++) {
    const ahead = round % 2 === 0 ? await rate(challenger) : undefined;
    const of = await rate(reference);
    const own = ahead ?? (await rate(challenger));
    results.push({ challenger: own, reference: of, ratio: own / of });
  }
  return {
    challenger: median(results.map((result) => result.challenger)),
    reference: median(results.map((result) => result.reference)),
    ratio: median(results.map((result) => result.ratio)),
  };
}

/** A duel of servers that must answer the same. */
export async function duelOfEquals(
  challenger: Contender,
  reference: Contender,
  request: Request,
): Promise<Outcome> {
  await checkSameAnswer(challenger, reference, request);
  return await duel(challenger, reference, request);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
