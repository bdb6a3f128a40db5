/** How every door rounds the figures that several show. */

/** Returns a share in whole percent, rounded down: 91 for 0.9146. It is 100 only once all is reached. */
export function toPercent(share: number): number {
  // A double is not exact: 0.57 * 100 is 56.99999999999999.
  return Math.floor(Math.round(share * 1e9) / 1e7);
}

/** Returns a duration in seconds, rounded down to a tenth. */
export function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 100) / 10;
}

let cents: Intl.NumberFormat | undefined;

/** Rounds an amount to cents, half up: `9.24`. */
export function inCents(amount: string | number): string {
  // Made when needed: it loads the data of languages, which takes 10 ms of a start.
  cents ??= new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return cents.format(Number(amount));
}

/** Returns how many runs the success rate is of: those that succeeded or failed. */
export function ratedRuns(runs: { readonly succeededRuns: number; readonly failedRuns: number }): number {
  return runs.succeededRuns + runs.failedRuns;
}
