import type { Command } from 'commander';
import type { Config } from '../../src/config.ts';
import type { Log } from '../../src/services/call/log.ts';
import type { OpenServices } from '../../src/services/open.ts';
import { UsageError } from '../errors.ts';
import { remark } from '../terminal.ts';

/** The configured database, or the embedded one while this process uses it. */
export interface JoinedDatabase {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Returns the database of DATABASE_URL, or the embedded one, which is started if it is not running. */
export async function joinDatabase({ databaseUrl, dataDirectory }: Config): Promise<JoinedDatabase> {
  if (databaseUrl !== undefined) return { databaseUrl, close: async () => {} };
  const { joinEmbeddedPostgres } = await import('../../src/db/embedded/embedded-postgres.ts');
  const postgres = await joinEmbeddedPostgres({ dataDirectory, log: remark });
  return { databaseUrl: postgres.url, close: () => postgres.close() };
}

/**
 * Reads the configuration of a command that works on the database only.
 *
 * @throws UsageError if a server is given: the command would work on another database
 */
export async function readLocalConfig(command: Command): Promise<Config> {
  const { readConfig } = await import('../../src/config.ts');
  const config = readConfig();
  if ((command.optsWithGlobals().server ?? config.server) === undefined) return config;
  const { wordsOf } = await import('../reference/command.ts');
  throw new UsageError(
    `${wordsOf(command)} works on the database only. Remove --server and unset BACKOFFICE_SERVER.`,
  );
}

/**
 * Runs work with the URL of the database, and leaves the database afterwards.
 *
 * @throws UsageError if a server is given
 */
export async function withDatabase<T>(
  command: Command,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const database = await joinDatabase(await readLocalConfig(command));
  try {
    return await use(database.databaseUrl);
  } finally {
    await database.close();
  }
}

/** Runs work with the services, directly on the database. */
export async function withServices<T>(
  command: Command,
  use: (services: OpenServices) => Promise<T>,
): Promise<T> {
  return await withDatabase(command, async (databaseUrl) => {
    const { readConfig } = await import('../../src/config.ts');
    const { openServices } = await import('../../src/services/open.ts');
    const services = openServices({ ...readConfig(), databaseUrl, log: quietLog });
    try {
      return await use(services);
    } finally {
      await services.close();
    }
  });
}

/** Commands report errors themselves, so the services log nothing. */
export const quietLog: Log = { error: () => {}, warn: () => {}, info: () => {} };
