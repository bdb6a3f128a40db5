/** A time to measure from, on two clocks. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** Returns the current time. */
export function currentMoment(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/**
 * Returns the time since a moment, by the clock that says more: the monotonic one stops while a machine is suspended, and
 * the other one can be set back.
 */
export function elapsedMs({ monotonicMs, wallMs }: Moment): number {
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}
