import { createServer, type ServerResponse } from 'node:http';
import { listenOn, urlOf } from '../listener.ts';

/** Serves scrapes on a port of its own. */
export interface MetricsListener {
  /** For example `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

const path = '/metrics';
/** A scrape takes less than a second. */
const requestTimeoutMs = 10_000;
const maxConnections = 20;

/**
 * Answers `GET /metrics`, to everyone who reaches the port: it has no sign-in.
 *
 * @throws AddressInUseError
 */
export async function listenForScrapes(
  scrape: () => Promise<string>,
  contentType: string,
  host: string,
  port: number,
): Promise<MetricsListener> {
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
    url: urlOf(server) + path,
    async close() {
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
