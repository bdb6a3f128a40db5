import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { OpenServices } from '../services/open.ts';
import { packageVersion } from '../version.ts';
import { createHttpApp } from './app.ts';
import { listen, type RunningServer } from './server.ts';
import { createSessions } from './sessions/sessions.ts';
import { SessionStore } from './sessions/store.ts';

export interface StartOptions {
  readonly config: Config;
  readonly services: OpenServices;
  /** Newest first. */
  readonly sessionSecrets: readonly string[];
  readonly logger: Logger;
}

/**
 * Starts the HTTP door. It serves from the first moment, with or without a database.
 *
 * @throws AddressInUseError
 */
export async function startHttp(options: StartOptions): Promise<RunningServer> {
  const { config, services, sessionSecrets, logger } = options;
  const db = services.databases.primary;
  const store = new SessionStore({
    db,
    pool: services.plainPool,
    idleSeconds: config.sessionIdleSeconds,
    maximumSeconds: config.sessionSeconds,
    log: logger,
  });
  let stopping = false;
  const app = createHttpApp({
    services,
    sessions: createSessions({ db, store, secrets: sessionSecrets, maximumSeconds: config.sessionSeconds }),
    logger,
    trustProxy: config.trustProxy,
    version: packageVersion(),
    isStopping: () => stopping,
  });
  const server = await listen(app, config.host, config.port);
  return {
    url: server.url,
    async stop() {
      stopping = true;
      // Streams have no end that the server could wait for, so they end with the first of its steps.
      await Promise.all([services.events.close(), server.stop()]);
      await store.close();
    },
  };
}
