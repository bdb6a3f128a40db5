import { type Comparison, compareRates } from '../compare-rates.ts';
import type { Request } from '../load.ts';
import { startService, withContenders } from '../servers/contender.ts';

/** One row of the results. */
export interface Figure {
  readonly name: string;
  /** The number of issues in the database. */
  readonly issues: number;
  readonly service: string;
  /** Empty if the service is compared with itself. */
  readonly baseline: string;
  readonly result: string;
  readonly target: string;
  readonly met: boolean;
}

/** Returns the URL of the database with that many issues. Fills it first if no figure needed it yet. */
export type Databases = (issues: number) => Promise<string>;

/** A list short enough for any server to build in memory. */
export const shortList = 1_000;
export const sizes = [10_000, 100_000, 1_000_000] as const;

/** Returns the row of a ratio that must not be lower than the target. */
export function atLeast(
  target: number,
  result: number,
  row: Pick<Figure, 'name' | 'issues' | 'service' | 'baseline'>,
): Figure {
  return { ...row, result: result.toFixed(2), target: `≥ ${target}`, met: result >= target };
}

/** Returns the row of a ratio that must not be higher than the target. */
export function atMost(
  target: number,
  result: number,
  row: Pick<Figure, 'name' | 'issues' | 'service' | 'baseline'>,
): Figure {
  return { ...row, result: result.toFixed(2), target: `≤ ${target}`, met: result <= target };
}

/** Returns a rate as text. */
export function perSecond(rate: number): string {
  return `${rate.toFixed(0)}/s`;
}

/** Returns the rates of a service and of its baseline as texts. */
export function ratesOf({ subject, reference }: Comparison): Pick<Figure, 'service' | 'baseline'> {
  return { service: perSecond(subject), baseline: perSecond(reference) };
}

/** Compares the cost of a request on one database with its cost on another. */
export async function compareCosts(
  request: Request,
  [costly, cheap]: readonly [url: string, url: string],
): Promise<Comparison & { readonly growth: number }> {
  return await withContenders([startService(costly), startService(cheap)], async (onCostly, onCheap) => {
    const comparison = await compareRates([onCostly, request], [onCheap, request]);
    return { ...comparison, growth: 1 / comparison.ratio };
  });
}
