import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { problemOfAllowed } from '../mcp/exposed-tools.ts';
import type { OpenServices } from '../services/open.ts';
import { wait } from '../shared/waiting.ts';
import { packageVersion } from '../version.ts';
import { createHttpApp } from './app.ts';
import { listen } from './listener.ts';
import type { RequestObserver } from './log.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { createSessions } from './sessions/index.ts';
import { SessionStore } from './sessions/store.ts';
import { traceRequests } from './trace-requests.ts';
import { warnOfProxy } from './untrusted-proxy.ts';

export interface HttpServerOptions {
  readonly config: Config;
  readonly services: OpenServices;
  /** Newest first. */
  readonly sessionSecrets: readonly string[];
  readonly logger: Logger;
  /** How long a request may take until its response starts. */
  readonly requestTimeoutMs?: number | undefined;
  /** Measures the requests. */
  readonly requestObserver?: RequestObserver | undefined;
  /** By default, that of the database. */
  readonly readiness?: Readiness;
}

/** How long running requests may take to finish, in all and after the drain. The process has 10 s in all. */
const finishMs = 8_000;
const finishAfterDrainMs = 3_000;
/** Readers that still wait for a list so long before the end are refused. */
const listMarginMs = 2_000;

/** @throws ConfigError */
function allowedToAgents({ mcpAllow }: Config): ReadonlySet<string> {
  for (const id of mcpAllow) {
    const problem = problemOfAllowed(id);
    if (problem !== undefined) throw new ConfigError(`BACKOFFICE_MCP_ALLOW is wrong: ${problem}`);
  }
  return new Set(mcpAllow);
}

export interface HttpServer {
  /** For example `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Ends event streams and lets running requests finish. Still accepts connections for the time of the drain, in which
   * proxies find out by `/readyz` to send no more. Disconnects what is left after 8 s, or 3 s after the drain.
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}

/**
 * Starts the HTTP server. It answers requests at once, even while the database is down.
 *
 * @throws AddressInUseError
 * @throws ConfigError if an operation that agents may run does not exist
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { config, services, sessionSecrets, logger } = options;
  const db = services.databases.primary;
  const store = new SessionStore({
    db,
    idleSeconds: config.sessionIdleSeconds,
    maxAgeSeconds: config.sessionMaxAgeSeconds,
    log: logger,
  });
  const sessions = createSessions({
    db,
    store,
    secrets: sessionSecrets,
    maxAgeSeconds: config.sessionMaxAgeSeconds,
  });
  let stopping = false;
  const app = createHttpApp({
    services,
    sessions,
    logger,
    requestObserver: options.requestObserver,
    corsOrigins: config.corsOrigins,
    mcpAllowed: allowedToAgents(config),
    requestTimeoutMs: options.requestTimeoutMs,
    trustProxy: config.trustProxy,
    basePath: config.basePath,
    securityContact: config.securityContact,
    version: packageVersion(),
    readiness: options.readiness ?? readinessOf(db),
    isStopping: () => stopping,
  });
  const handle = config.trustProxy === 0 ? warnOfProxy(app, logger) : app;
  const listener = await listen(traceRequests(handle), config.host, config.port);
  return {
    url: listener.url,
    async stop({ drainMs = 0 } = {}) {
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
        await store.close();
      }
    },
  };
}
