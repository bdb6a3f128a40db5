import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics that a process serves. Each name gets the prefix `backoffice_`. */
export interface Prometheus {
  readonly registry: Registry;
  counter<Label extends string>(name: string, help: string, ...labels: Label[]): Counter<Label>;
  gauge<Label extends string>(name: string, help: string, ...labels: Label[]): Gauge<Label>;
  /** Adds a gauge whose values are set at each scrape. */
  gaugeOf<Label extends string>(
    name: string,
    help: string,
    collect: (gauge: Gauge<Label>) => void,
    ...labels: Label[]
  ): void;
  /** @param buckets - the highest value of each */
  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    ...labels: Label[]
  ): Histogram<Label>;
}

/** Loads the library on demand: most processes have no metrics. */
export async function loadPrometheus(): Promise<Prometheus> {
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
    counter: (name, help, ...labels) => new Counter(of(name, help, labels)),
    gauge: (name, help, ...labels) => new Gauge(of(name, help, labels)),
    gaugeOf(name, help, collect, ...labels) {
      new Gauge({
        ...of(name, help, labels),
        collect() {
          collect(this);
        },
      });
    },
    histogram: (name, help, buckets, ...labels) =>
      new Histogram({ ...of(name, help, labels), buckets: [...buckets] }),
  };
}
