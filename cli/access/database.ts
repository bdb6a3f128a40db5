import type { Command } from 'commander';
import type { Config } from '../../src/config.ts';
import type { Log } from '../../src/services/call/log.ts';
import type { OpenServices } from '../../src/services/open.ts';
import { UsageError } from '../errors.ts';
import { remark } from '../terminal.ts';

/** The URL of the configured database, or of the embedded one while it is joined. */
export interface JoinedDatabase {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Finds the database: the one that DATABASE_URL names, or the embedded one, which starts where it does not run. */
export async function joinDatabase({ databaseUrl, dataDirectory }: Config): Promise<JoinedDatabase> {
  if (databaseUrl !== undefined) return { databaseUrl, close: async () => {} };
  const { joinEmbeddedPostgres } = await import('../../src/db/embedded/embedded-postgres.ts');
  const postgres = await joinEmbeddedPostgres({ dataDirectory, log: remark });
  return { databaseUrl: postgres.url, close: () => postgres.close() };
}

/**
 * The configuration of a command that works on the database itself.
 *
 * @throws UsageError where the command was told to work through a server: it would work on another database
 */
export async function readLocalConfig(command: Command): Promise<Config> {
  const { readConfig } = await import('../../src/config.ts');
  const config = readConfig();
  if ((command.optsWithGlobals().server ?? config.server) === undefined) return config;
  const { wordsOf } = await import('../reference/command.ts');
  throw new UsageError(
    `Leave out --server and BACKOFFICE_SERVER: ${wordsOf(command)} works on the database itself.`,
  );
}

/**
 * Runs something on the database's URL and leaves the database afterwards.
 *
 * @throws UsageError as `readLocalConfig`
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

/** Runs something with the services, straight on the database. */
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

/** A command says what went wrong in its own sentence; it keeps no log. */
export const quietLog: Log = { error: () => {}, warn: () => {}, info: () => {} };
