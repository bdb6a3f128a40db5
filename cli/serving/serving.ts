import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../src/config.ts';
import { createLogger } from '../../src/http/log.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { startJobs } from '../../src/jobs/start.ts';
import { type OpenServices, openServices } from '../../src/services/open.ts';
import { joinDatabase } from '../access/database.ts';

/** Milliseconds that the connections get to close, after the 8 s of the requests; the process has 10 s in all. */
const patience = 1_000;

/** A server and what it stands on. */
export interface Serving {
  readonly databaseUrl: string;
  readonly services: OpenServices;
  readonly server: HttpServer;
  readonly logger: Logger;
}

/**
 * Joins the database, listens, and works on the queue of jobs. Whatever was started when something goes wrong, or in
 * the end, is stopped by the given stack: the server and the jobs first, the database last.
 *
 * @param secrets - finds the secrets of the session cookies, newest first, once the data directory is there
 */
export async function startServing(
  resources: AsyncDisposableStack,
  config: Config,
  secrets: () => Promise<readonly string[]>,
): Promise<Serving> {
  const logger = createLogger(config.logLevel);
  const database = resources.adopt(await joinDatabase(config), (joined) => joined.close());
  const { databaseUrl } = database;
  const services = resources.adopt(openServices({ ...config, databaseUrl, log: logger }), async (open) => {
    // A database that has frozen does not say goodbye.
    await Promise.race([open.close(), delay(patience, undefined, { ref: false })]);
  });
  const sessionSecrets = await secrets();
  const server = await startHttpServer({ config, services, sessionSecrets, logger });
  const jobs = startJobs({ services, databaseUrl, log: logger });
  // Both at once: each may take what most of the time for a stop is.
  resources.defer(async () => {
    await Promise.all([server.stop(), jobs.stop()]);
  });
  return { databaseUrl, services, server, logger };
}

/** Resolves when it is time to stop. */
export async function untilStopped(stop: AbortSignal, logger: Logger): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort');
  logger.info({ signal: stop.reason }, 'stopping');
}
