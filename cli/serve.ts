import { Command } from 'commander';
import { ConfigError } from '../src/config.ts';
import { createLogger } from '../src/http/log.ts';
import { startHttp } from '../src/http/start.ts';
import { openServices } from '../src/services/open.ts';
import { config, joinDatabase } from './connection.ts';
import { untilStopped } from './lifecycle.ts';
import { print } from './terminal.ts';

/** `backoffice serve`: the API alone, for a process manager. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the API, on a database that is migrated already')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://… SESSION_SECRET=… backoffice serve')
    .action(serve);
}

async function serve(): Promise<void> {
  const settings = config();
  if (settings.sessionSecrets === undefined) {
    throw new ConfigError(
      'SESSION_SECRET takes a secret of at least 32 characters, which every instance shares.',
    );
  }
  const stopped = untilStopped();
  const logger = createLogger(settings.logLevel);
  const database = await joinDatabase(settings);
  const services = openServices({ ...settings, databaseUrl: database.databaseUrl, log: logger });
  try {
    const server = await startHttp({
      config: settings,
      services,
      sessionSecrets: settings.sessionSecrets,
      logger,
    });
    print(`Backoffice listens on ${server.url}`);
    logger.info({ signal: await stopped }, 'stopping');
    await server.stop();
  } finally {
    await services.close();
    await database.close();
  }
}
