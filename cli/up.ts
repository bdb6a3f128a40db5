import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { Config } from '../src/config.ts';
import { describeDatabaseFailure } from '../src/db/failures.ts';
import { migrateUp } from '../src/db/migrate.ts';
import { createLogger } from '../src/http/log.ts';
import { startHttp } from '../src/http/start.ts';
import { ensureFirstAdmin } from '../src/services/first-admin.ts';
import { type OpenServices, openServices } from '../src/services/open.ts';
import { config, joinDatabase } from './connection.ts';
import { untilStopped } from './lifecycle.ts';
import { sessionSecrets } from './session-secret.ts';
import { print, remark } from './terminal.ts';

/** `backoffice up`: everything that a start needs, in one command. */
export function upCommand(): Command {
  return new Command('up')
    .description('bring everything up: the database, its schema, a first admin, the API')
    .addHelpText('after', '\nExample:\n  PORT=8080 backoffice up')
    .action(up);
}

async function up(): Promise<void> {
  const settings = config();
  const stopped = untilStopped();
  const logger = createLogger(settings.logLevel);
  const database = await joinDatabase(settings);
  const services = openServices({ ...settings, databaseUrl: database.databaseUrl, log: logger });
  try {
    const secrets = settings.sessionSecrets ?? (await sessionSecrets(settings.dataDirectory));
    // Listening comes first: a port that is taken shows at once, and health checks are answered from the start.
    const server = await startHttp({ config: settings, services, sessionSecrets: secrets, logger });
    const prepared = await Promise.race([prepare(settings, database.databaseUrl, services), stopped]);
    if (prepared === 'ready') announce(server.url);
    logger.info({ signal: await stopped }, 'stopping');
    await server.stop();
  } finally {
    await services.close();
    await database.close();
  }
}

/** Brings the schema and the first admin up, as soon as the database can be reached. */
async function prepare(settings: Config, databaseUrl: string, services: OpenServices): Promise<'ready'> {
  for (let wait = 250; ; wait = Math.min(wait * 2, 5_000)) {
    try {
      const applied = await migrateUp({ databaseUrl });
      if (applied.length > 0) remark(`Applied ${applied.length} migrations.`);
      const admin = await ensureFirstAdmin(services, settings.firstAdmin);
      if (admin !== null) {
        print(`First admin:  ${admin.email}`);
        if (admin.generatedPassword !== undefined) {
          print(`Password:     ${admin.generatedPassword}   (shown this once)`);
        }
      }
      return 'ready';
    } catch (error) {
      const problem = describeDatabaseFailure(error);
      if (problem === undefined) throw error;
      remark(`${problem} Trying again in ${wait / 1000} s.`);
      await delay(wait);
    }
  }
}

function announce(url: string): void {
  print(`API:            ${url}/api/admin`);
  print(`Documentation:  ${url}/api/docs`);
  print('Press Ctrl-C to stop.');
}
