import { once } from 'node:events';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../../src/config.ts';
import { MissingTrigramsError, requireTrigrams } from '../../src/db/lists/search-indexes.ts';
import { createLogger } from '../../src/http/log.ts';
import { readinessOf } from '../../src/http/readiness.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { type RunningJobs, startJobs } from '../../src/jobs/start.ts';
import { type OpenServices, openServices } from '../../src/services/open.ts';
import { atMost, createBackoff, wait } from '../../src/shared/waiting.ts';
import { joinDatabase, readLocalConfig } from '../access/database.ts';
import { refusePoolers } from '../access/poolers.ts';
import { print, stopSignal } from '../terminal/terminal.ts';

/** Serves the API until a signal to stop. */
export async function serve(command: Command): Promise<void> {
  const config = await readLocalConfig(command);
  const { sessionSecrets } = config;
  if (sessionSecrets === undefined) {
    throw new ConfigError(
      'SESSION_SECRET is not set. Set it to a secret of at least 32 characters, the same for every instance.',
    );
  }
  const stop = stopSignal();
  await using resources = new AsyncDisposableStack();
  const { server, services, logger, metricsUrl, isDirect } = await startServing(
    resources,
    config,
    stop,
    async () => sessionSecrets,
  );
  print(`Backoffice listens on ${server.url}${config.basePath}`);
  if (metricsUrl !== undefined) print(`Metrics are at ${metricsUrl}`);
  const stopped = untilStopped(stop, logger);
  // A database that was down may turn out to be a pooler. `up` gets the error about the extension from its migrations.
  const checked = Promise.all([isDirect, refuseWithoutTrigrams(services)]);
  // A frozen database answers neither, and a stop does not wait for it.
  await Promise.all([stopped, Promise.race([stopped, checked])]);
}

/** Rejects if the database answers and lacks the extension. */
async function refuseWithoutTrigrams({ databases }: OpenServices): Promise<void> {
  await requireTrigrams(databases.primary).catch((error: unknown) => {
    if (error instanceof MissingTrigramsError) throw error;
  });
}

/** How long connections may take to close, after the 8 s for requests. The process has 10 s in all. */
const closeTimeoutMs = 1_000;
/** How long a start waits to learn whether DATABASE_URL leads to a pooler. */
const poolerCheckMs = 1_000;

/** A running server and what it uses. */
export type Serving = Awaited<ReturnType<typeof startServing>>;

/**
 * Joins the database, starts the HTTP server and starts the job worker. The given stack stops what was started: the server
 * and the jobs first, the database last.
 *
 * @param stop - the signal that will stop it
 * @param secrets - returns the secrets of the session cookies, newest first; called once the data directory exists
 * @returns also where Prometheus finds the metrics, if they are on; and `isDirect`, which resolves when DATABASE_URL is known
 *   to lead to a server, and rejects with a `ConfigError` if it leads to a pooler
 * @throws ConfigError if DATABASE_URL leads to a pooler, unless that shows later
 */
export async function startServing(
  resources: AsyncDisposableStack,
  config: Config,
  stop: AbortSignal,
  secrets: () => Promise<readonly string[]>,
) {
  const logger = createLogger(config);
  // What traces and what measures would slow the start of all that have neither.
  const tracing =
    config.tracing &&
    (await import('../../src/services/tracing/open-tracing.ts')).openTracing(config.tracing, logger);
  // Last, so that the spans of the stop are sent too.
  resources.defer(() => tracing?.close());
  const database = resources.adopt(await joinDatabase(config), (joined) => joined.close());
  const { databaseUrl, encryptionKeys } = database;
  const isDirect = untilDirect(config, stop);
  // What awaits it may come later.
  isDirect.catch(() => {});
  const metrics =
    config.metrics && (await (await import('../../src/http/metrics/open-metrics.ts')).openMetrics());
  const services = resources.adopt(
    openServices({ ...config, databaseUrl, encryptionKeys, log: logger, observer: metrics?.observer }),
    async (open) => {
      // A frozen database never closes its connections.
      await atMost(closeTimeoutMs, open.close());
    },
  );
  // Connects while the server is set up.
  const readiness = readinessOf(services.databases.primary);
  void readiness.findProblem();
  const scrapes = config.metrics && (await metrics?.serve(services, config.metrics));
  resources.defer(() => scrapes?.close());
  services.publisher.startPolling();
  const sessionSecrets = await secrets();
  const requestObserver = metrics?.requests;
  const server = await startHttpServer({
    config,
    services,
    sessionSecrets,
    logger,
    readiness,
    requestObserver,
  });
  let jobs: RunningJobs | undefined;
  // Both at once: each may take most of the time that is allowed for a stop.
  resources.defer(async () => {
    // Only a process manager sends SIGTERM, and may have proxies to wait for. A person at a terminal has none.
    const drainMs = stop.reason === 'SIGTERM' ? config.drainMs : 0;
    await Promise.all([server.stop({ drainMs }), jobs?.stop()]);
  });
  await atMost(poolerCheckMs, isDirect);
  jobs = startJobs({ services, databaseUrl, log: logger });
  return { database, services, server, logger, metricsUrl: scrapes?.url, isDirect };
}

/** Resolves when DATABASE_URL is known to lead to a server, or with the signal to stop. */
async function untilDirect(config: Config, stop: AbortSignal): Promise<void> {
  const backoff = createBackoff({ firstMs: 250, maxMs: 5_000 });
  while (!stop.aborted && !(await refusePoolers(config))) await wait(backoff.next(), stop);
}

/** Resolves when the signal to stop arrives. */
export async function untilStopped(stop: AbortSignal, logger: Logger): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort');
  logger.info({ signal: stop.reason }, 'stopping');
}
