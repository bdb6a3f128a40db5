import type { Gauge as GaugeOf } from 'prom-client';

/** The metrics that a process serves. Each name gets the prefix `backoffice_`. */
export type Prometheus = Awaited<ReturnType<typeof loadPrometheus>>;

/** Loads the library on demand: most processes have no metrics. */
export async function loadPrometheus() {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (await import('prom-client'))
    .default;
  const registry = new Registry();
  // Memory, garbage collection, delay of the event loop, processor time and start of the process.
  collectDefaultMetrics({ register: registry });
  const of = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    name: `backoffice_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    registry,
    counter: <Label extends string>(name: string, help: string, ...labels: Label[]) =>
      new Counter(of(name, help, labels)),
    gauge: <Label extends string>(name: string, help: string, ...labels: Label[]) =>
      new Gauge(of(name, help, labels)),
    /** Adds a gauge whose values are set at each scrape. */
    gaugeOf<Label extends string>(
      name: string,
      help: string,
      collect: (gauge: GaugeOf<Label>) => void,
      ...labels: Label[]
    ): void {
      new Gauge({
        ...of(name, help, labels),
        collect() {
          collect(this);
        },
      });
    },
    /** The buckets are the highest values of each. */
    histogram: <Label extends string>(name: string, help: string, buckets: number[], ...labels: Label[]) =>
      new Histogram({ ...of(name, help, labels), buckets }),
  };
}
