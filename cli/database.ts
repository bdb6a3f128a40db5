import type { Command } from 'commander';
import type { Config } from '../src/config.ts';
import type { Log } from '../src/services/context.ts';
import type { OpenServices } from '../src/services/open.ts';
import { UsageError } from './errors.ts';
import { remark } from './terminal.ts';

/** The URL of the configured database, or of the embedded one while it is joined. */
export interface JoinedDatabase {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Finds the database: the one that DATABASE_URL names, or the embedded one, which starts where it does not run. */
export async function joinDatabase({ databaseUrl, dataDirectory }: Config): Promise<JoinedDatabase> {
  if (databaseUrl !== undefined) return { databaseUrl, close: async () => {} };
  const { joinEmbeddedPostgres } = await import('../src/db/embedded/cluster.ts');
  const postgres = await joinEmbeddedPostgres({ dataDirectory, log: remark });
  return { databaseUrl: postgres.url, close: () => postgres.close() };
}

/**
 * Runs something on the database's URL and leaves the database afterwards.
 *
 * @throws UsageError where the command was told to work through a server: it would work on another database
 */
export async function withDatabase<T>(
  command: Command,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const { readConfig } = await import('../src/config.ts');
  const config = readConfig();
  if ((command.optsWithGlobals().server ?? config.server) !== undefined) {
    throw new UsageError(
      `${command.name()} works on the database itself: leave out --server and BACKOFFICE_SERVER.`,
    );
  }
  const database = await joinDatabase(config);
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
    const { readConfig } = await import('../src/config.ts');
    const { openServices } = await import('../src/services/open.ts');
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
