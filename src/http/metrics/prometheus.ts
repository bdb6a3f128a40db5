import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The library, and the registry that a process serves. Imported on demand: most processes have no metrics. */
export interface Prometheus {
  readonly Counter: typeof Counter;
  readonly Gauge: typeof Gauge;
  readonly Histogram: typeof Histogram;
  readonly registers: [Registry];
}

/** Loads the library. */
export async function loadPrometheus(): Promise<Prometheus> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (await import('prom-client'))
    .default;
  const register = new Registry();
  // Memory, garbage collection, delay of the event loop, processor time and start of the process.
  collectDefaultMetrics({ register });
  return { Counter, Gauge, Histogram, registers: [register] };
}
