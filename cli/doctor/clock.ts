import { type Finding, failed, ok, warning } from './finding.ts';

const seconds = 1_000;

/**
 * Judges the clock of another machine.
 *
 * @param whose - `database` or `server`
 * @param aheadMs - how far it is ahead of this machine's; negative if it is behind
 */
export function judgeClock(whose: string, aheadMs: number): Finding {
  const difference = Math.abs(aheadMs);
  const detail = `the ${whose}'s clock is ${(difference / seconds).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  const advice = 'Synchronize the clocks of both machines with NTP.';
  if (difference > 60 * seconds) return failed('clock', detail, advice);
  return difference > 2 * seconds
    ? warning('clock', detail, advice)
    : ok('clock', `the same as the ${whose}'s`);
}
