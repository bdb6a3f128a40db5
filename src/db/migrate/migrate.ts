import { type MigrationBuilder, runner } from 'node-pg-migrate';
import type { Client } from 'pg';
import { migrationsFolder, readMigrationFile, readMigrationFiles } from './files.ts';
import { migrateJobQueue } from './job-queue.ts';
import { checksumSetting, migrationsTable, withMigrationLock } from './migration-lock.ts';
import { readMigrationStatus } from './status.ts';

interface MigrateOptions {
  databaseUrl: string;
  /** Receives a line per step; nothing is written anywhere else. */
  log?: (line: string) => void;
  /** Where the files are, the package's own `migrations/` by default. */
  folder?: string;
}

/**
 * Brings up the job queue and applies every pending migration, each in a transaction of its own. Instances
 * that start together wait for each other, and the later ones find nothing left to do.
 *
 * @returns the names applied, in order.
 * @throws where an applied file was edited or is missing, or the server is older than Postgres 15.
 */
export async function migrateUp(options: MigrateOptions): Promise<string[]> {
  return withMigrationLock(options.databaseUrl, async (client) => {
    await refuseRewrittenHistory(client, options.folder ?? migrationsFolder());
    await migrateJobQueue(options.databaseUrl);
    return run(client, options, 'up', Number.POSITIVE_INFINITY);
  });
}

/**
 * Takes back the newest `count` migrations (1 by default), each in a transaction of its own.
 *
 * @returns the names taken back, newest first.
 * @throws where the file of one of them is missing.
 */
export async function migrateDown(options: MigrateOptions & { count?: number }): Promise<string[]> {
  return withMigrationLock(options.databaseUrl, (client) => run(client, options, 'down', options.count ?? 1));
}

async function refuseRewrittenHistory(client: Client, folder: string): Promise<void> {
  const status = await readMigrationStatus(client, await readMigrationFiles(folder));
  for (const { name, state } of status) {
    if (state === 'edited') {
      throw new Error(
        `Migration ${name} was edited after it was applied to this database; restore the file and write a new migration.`,
      );
    }
    if (state === 'missing') {
      throw new Error(
        `Migration ${name} was applied to this database, but its file is missing; is this build older than the database?`,
      );
    }
  }
}

async function run(
  client: Client,
  options: MigrateOptions,
  direction: 'up' | 'down',
  count: number,
): Promise<string[]> {
  const log = options.log ?? (() => {});
  const migrations = await runner({
    dbClient: client,
    dir: options.folder ?? migrationsFolder(),
    // Anything but migrations, such as checksums.json. The runner anchors the pattern at both ends.
    ignorePattern: '(?!\\d+_.*\\.sql$).*',
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadWithChecksums }],
    migrationsTable: migrationsTable,
    schema: 'public',
    direction,
    count,
    singleTransaction: false,
    // The lock is held by withMigrationLock, around the comparison with the files as well.
    noLock: true,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  return migrations.map(({ name }) => name);
}

/**
 * Each file as a migration that first says its own checksum, from which the row that records it takes its
 * own, so that both are written in the migration's transaction.
 */
async function loadWithChecksums(paths: string[]) {
  return Promise.all(paths.map(loadWithChecksum));
}

async function loadWithChecksum(path: string) {
  const { name, sql, sha256 } = await readMigrationFile(path);
  const [up, down] = sql.split(/^-- Down Migration$/m);
  if (!up?.startsWith('-- Up Migration\n') || down === undefined) {
    throw new Error(
      `Migration ${name} must begin with "-- Up Migration" and have a part "-- Down Migration".`,
    );
  }
  // One parameter each: the runner takes a second one for a callback and waits for its call.
  const actions = {
    up: (pgm: MigrationBuilder) => {
      pgm.sql(`set local ${checksumSetting} = '${sha256}'`);
      pgm.sql(up);
    },
    down: (pgm: MigrationBuilder) => {
      pgm.sql(down);
    },
  };
  return { id: path, filePaths: [path], actions };
}
