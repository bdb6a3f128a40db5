import type { RequestListener } from 'node:http';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { problemOfAllowed } from '../mcp/exposed-tools.ts';
import type { Log } from '../services/call/observer.ts';
import type { OpenServices } from '../services/open.ts';
import { currentTracer } from '../shared/tracing.ts';
import { wait } from '../shared/waiting.ts';
import { packageVersion } from '../version.ts';
import { createHttpApp } from './app.ts';
import { listen } from './listener.ts';
import type { RequestObserver } from './log.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { createSessions } from './sessions/index.ts';

interface HttpServerOptions {
  readonly config: Config;
  readonly services: OpenServices;
  /** Newest first. */
  readonly sessionSecrets: readonly string[];
  readonly logger: Logger;
  readonly requestTimeoutMs?: number | undefined;
  readonly requestObserver?: RequestObserver | undefined;
  /** By default, that of the database. */
  readonly readiness?: Readiness;
}

/** How long running requests may take to finish, in all and after the drain. The process has 10 s in all. */
const finishMs = 8_000;
const finishAfterDrainMs = 3_000;
/** Readers that still wait for a list so long before the end are refused. */
const listMarginMs = 2_000;

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

/**
 * Starts the HTTP server. It answers requests at once, even while the database is down.
 *
 * @throws AddressInUseError
 * @throws ConfigError if an operation that agents may run does not exist
 */
export async function startHttpServer(options: HttpServerOptions) {
  const { config, services, sessionSecrets, logger } = options;
  const db = services.databases.primary;
  const sessions = createSessions({
    db,
    idleSeconds: config.sessionIdleSeconds,
    maxAgeSeconds: config.sessionMaxAgeSeconds,
    secrets: sessionSecrets,
    log: logger,
  });
  let stopping = false;
  const app = createHttpApp({
    config,
    services,
    sessions,
    logger,
    requestObserver: options.requestObserver,
    secrets: sessionSecrets,
    corsOrigins: new Set(config.corsOrigins),
    allowed: allowedToAgents(config),
    timeoutMs: options.requestTimeoutMs,
    version: packageVersion(),
    readiness: options.readiness ?? readinessOf(db),
    isStopping: () => stopping,
  });
  const handle = config.trustProxy === 0 ? warnOfProxy(app, logger) : app;
  const listener = await listen(traceRequests(handle), config.host, config.port);
  return {
    /** For example `http://127.0.0.1:3000`. */
    url: listener.url,
    /**
     * Ends event streams and lets running requests finish. Still accepts connections for the time of the drain, in which
     * proxies find out by `/readyz` to send no more. Disconnects what is left after 8 s, or 3 s after the drain.
     */
    async stop({ drainMs = 0 } = {}): Promise<void> {
      stopping = true;
      listener.drain();
      const endMs = Math.max(finishMs, drainMs + finishAfterDrainMs);
      // They can ask another instance.
      const refusal = setTimeout(() => services.limiters.lists.close(), endMs - listMarginMs);
      const close = async () => {
        await wait(drainMs);
        await listener.close(endMs - drainMs);
      };
      // Streams do not end on their own.
      try {
        await Promise.all([services.events.close(), close()]);
      } finally {
        clearTimeout(refusal);
        await sessions.close();
      }
    },
  };
}

function allowedToAgents({ mcpAllow }: Config): ReadonlySet<string> {
  for (const id of mcpAllow) {
    const problem = problemOfAllowed(id);
    if (problem !== undefined) throw new ConfigError(`BACKOFFICE_MCP_ALLOW is wrong: ${problem}`);
  }
  return new Set(mcpAllow);
}

/** Returns a handler that makes a span of each request, named after its operation. A `traceparent` header is its parent. */
function traceRequests(handle: RequestListener): RequestListener {
  return (req, res) => {
    const tracer = currentTracer();
    if (tracer === undefined) return handle(req, res);
    const { method = '', headers } = req;
    const { traceparent } = headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    const attributes = { 'http.request.method': method };
    tracer.start({ name: method, kind: 'server', attributes }, parent, (span) => {
      res.once('close', () => {
        const { operation } = req as Partial<Request>;
        const { statusCode, headersSent } = res;
        if (operation !== undefined) {
          span.rename(operation);
          span.set({ 'backoffice.operation': operation });
        }
        if (headersSent) span.set({ 'http.response.status_code': statusCode });
        if (headersSent && statusCode >= 500) span.fail();
        span.end();
      });
      handle(req, res);
    });
  };
}

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];

const proxyWarning =
  'a request came through a proxy, but TRUST_PROXY is 0, so every client has the address of the proxy: ' +
  'set TRUST_PROXY to the number of proxies in front';

/** Returns a handler that warns once if a request has headers of a proxy, which the service does not trust. */
export function warnOfProxy(handle: RequestListener, log: Log): RequestListener {
  let isWarned = false;
  return (req, res) => {
    if (!isWarned) {
      const header = forwardingHeaders.find((name) => req.headers[name] !== undefined);
      isWarned = header !== undefined;
      if (isWarned) log.warn({ header, address: req.socket.remoteAddress }, proxyWarning);
    }
    handle(req, res);
  };
}
