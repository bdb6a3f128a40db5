import type { Observer } from '../../services/call/observer.ts';
import type { OpenServices } from '../../services/open.ts';
import { singleFlight } from '../../shared/waiting/single-flight.ts';
import { packageVersion } from '../../version.ts';
import type { RequestObserver } from '../log.ts';
import { addDatabaseMetrics } from './database-metrics.ts';
import { listenForScrapes, type MetricsListener } from './listener.ts';
import { createObserver } from './observer.ts';
import { loadPrometheus } from './prometheus.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { addServiceMetrics } from './service-metrics.ts';

/** The metrics of this process, for Prometheus. */
export interface Metrics {
  /** Counts what the services tell it. */
  readonly observer: Observer;
  /** Counts and times the requests. */
  readonly requests: RequestObserver;
  /** Serves the metrics of the services at `/metrics`. */
  serve(services: OpenServices, address: MetricsAddress): Promise<MetricsListener>;
}

export interface MetricsAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Starts to measure. */
export async function openMetrics(): Promise<Metrics> {
  const prometheus = await loadPrometheus();
  const { registry } = prometheus;
  prometheus
    .gauge('build_info', 'Always 1, with the version of the service and of Node.', 'version', 'node')
    .set({ version: packageVersion(), node: process.version }, 1);
  const observer = createObserver(prometheus);
  return {
    observer,
    requests: createRequestMetrics(prometheus),
    async serve(services, { host, port }) {
      addServiceMetrics(prometheus, services, () => observer.jobPool());
      const prepare = addDatabaseMetrics(prometheus, services);
      const scrape = singleFlight(async () => {
        await prepare();
        return await registry.metrics();
      });
      return await listenForScrapes(() => scrape.run(), registry.contentType, host, port);
    },
  };
}
