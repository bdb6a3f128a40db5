import type { Command } from 'commander';
import { ConfigError } from '../../src/config.ts';
import { MissingTrigramsError, requireTrigrams } from '../../src/db/lists/search-indexes.ts';
import type { OpenServices } from '../../src/services/open.ts';
import { readLocalConfig } from '../access/database.ts';
import { stopSignal } from '../terminal/stop-signal.ts';
import { print } from '../terminal/terminal.ts';
import { startServing, untilStopped } from './serving.ts';

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
