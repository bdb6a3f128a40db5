import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { problemOfAllowed } from '../mcp/exposed-tools.ts';
import type { OpenServices } from '../services/open.ts';
import { packageVersion } from '../version.ts';
import { createHttpApp } from './app.ts';
import { listen } from './listener.ts';
import { createSessions } from './sessions/index.ts';
import { SessionStore } from './sessions/store.ts';

export interface HttpServerOptions {
  readonly config: Config;
  readonly services: OpenServices;
  /** Newest first. */
  readonly sessionSecrets: readonly string[];
  readonly logger: Logger;
  /** How long a request may take until its response starts. */
  readonly requestTimeoutMs?: number | undefined;
}

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
  /** Ends event streams, lets running requests finish, and disconnects what is left after 8 s. */
  stop(): Promise<void>;
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
    pool: services.plainPool,
    authority: services.authority,
    idleSeconds: config.sessionIdleSeconds,
    maxAgeSeconds: config.sessionMaxAgeSeconds,
    log: logger,
  });
  let stopping = false;
  const app = createHttpApp({
    services,
    sessions: createSessions({
      db,
      authority: services.authority,
      store,
      secrets: sessionSecrets,
      maxAgeSeconds: config.sessionMaxAgeSeconds,
    }),
    logger,
    corsOrigins: config.corsOrigins,
    mcpAllowed: allowedToAgents(config),
    requestTimeoutMs: options.requestTimeoutMs,
    trustProxy: config.trustProxy,
    securityContact: config.securityContact,
    version: packageVersion(),
    isStopping: () => stopping,
  });
  const listener = await listen(app, config.host, config.port);
  return {
    url: listener.url,
    async stop() {
      stopping = true;
      // Readers who wait for a list can ask another instance.
      services.listQueue.close();
      // Streams do not end on their own, so end them while the listener closes.
      await Promise.all([services.events.close(), listener.close()]);
      await store.close();
    },
  };
}
