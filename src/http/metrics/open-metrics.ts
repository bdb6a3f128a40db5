import { createServer, type ServerResponse } from 'node:http';
import type { Observer } from '../../services/call/observer.ts';
import type { OpenServices } from '../../services/open.ts';
import { singleFlight } from '../../shared/waiting.ts';
import { packageVersion } from '../../version.ts';
import { listenOn, urlOf } from '../listener.ts';
import { addDatabaseMetrics } from './database-metrics.ts';
import { loadPrometheus } from './prometheus.ts';
import { addServiceMetrics, createObserver, createRequestMetrics } from './service-metrics.ts';

/** The metrics of this process, for Prometheus. */
export type Metrics = Awaited<ReturnType<typeof openMetrics>>;

/** Starts to measure. */
export async function openMetrics() {
  const prometheus = await loadPrometheus();
  const { registry } = prometheus;
  prometheus
    .gauge('build_info', 'Always 1, with the version of the service and of Node.', 'version', 'node')
    .set({ version: packageVersion(), node: process.version }, 1);
  const observer = createObserver(prometheus);
  return {
    /** Counts what the services tell it. */
    observer: observer as Observer,
    requests: createRequestMetrics(prometheus),
    /** Serves the metrics of the services at `/metrics`. The port 0 takes any free one. */
    async serve(services: OpenServices, { host, port }: { readonly host: string; readonly port: number }) {
      addServiceMetrics(prometheus, services, observer.jobPool);
      const prepare = addDatabaseMetrics(prometheus, services);
      const scrape = singleFlight(async () => {
        await prepare();
        return await registry.metrics();
      });
      return await listenForScrapes(() => scrape.run(), registry.contentType, host, port);
    },
  };
}

const path = '/metrics';
/** A scrape takes less than a second. */
const requestTimeoutMs = 10_000;
const maxConnections = 20;

/** Answers `GET /metrics` to everyone who reaches the port: it has no sign-in. */
async function listenForScrapes(
  scrape: () => Promise<string>,
  contentType: string,
  host: string,
  port: number,
) {
  const server = createServer({ requestTimeout: requestTimeoutMs }, async (req, res) => {
    res.on('error', () => {});
    const isScrape = req.url?.split('?', 1)[0] === path;
    if (!isScrape) return send(res, 404, `Not found. See ${path}.\n`);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      return send(res, 405, 'Only GET.\n');
    }
    try {
      const text = await scrape();
      res.setHeader('Cache-Control', 'no-store');
      send(res, 200, text, contentType);
    } catch {
      send(res, 500, 'The metrics could not be read.\n');
    }
  });
  server.maxConnections = maxConnections;
  await listenOn(server, host, port, 'METRICS_PORT');
  return {
    /** For example `http://127.0.0.1:9464/metrics`. */
    url: urlOf(server) + path,
    async close(): Promise<void> {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function send(res: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.end(text);
}
