import { Command } from 'commander';
import { ConfigError, readConfig } from '../src/config.ts';
import { startServing, stopSignal, untilStopped } from './serving.ts';
import { print } from './terminal.ts';

/** `backoffice serve`: the API alone, for a process manager. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the API, on a database that is migrated already')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://… SESSION_SECRET=… backoffice serve')
    .action(serve);
}

async function serve(): Promise<void> {
  const config = readConfig();
  const { sessionSecrets } = config;
  if (sessionSecrets === undefined) {
    throw new ConfigError(
      'SESSION_SECRET takes a secret of at least 32 characters, the same for every instance.',
    );
  }
  const stop = stopSignal();
  await using resources = new AsyncDisposableStack();
  const { server, logger } = await startServing(resources, config, async () => sessionSecrets);
  print(`Backoffice listens on ${server.url}`);
  await untilStopped(stop, logger);
}
