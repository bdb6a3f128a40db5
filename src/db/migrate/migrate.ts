import { type MigrationBuilder, runner } from 'node-pg-migrate';
import type { Client } from 'pg';
import { findRuntimeRoles, grantRuntime } from '../roles/grant-runtime.ts';
import { roleOf } from '../roles/role-of.ts';
import { migrationsFolder, readMigrationFile, readMigrationFiles } from './files.ts';
import { migrateJobQueue } from './job-queue.ts';
import {
  checksumSetting,
  ensureMigrationsTable,
  migrationsTable,
  withMigrationLock,
} from './migration-lock.ts';
import { actAs, findSchemaOwner, SchemaRightsError } from './schema-rights.ts';
import { type MigrationStatus, readMigrationStatus } from './status.ts';
import { createSearchIndexes, createTrigrams } from './trigrams.ts';

interface MigrateOptions {
  /** The URL of the role that owns the schema. */
  databaseUrl: string;
  /** The URL of the role that the service runs as, if it is another. It gets the rights that it needs. */
  runtimeUrl?: string | undefined;
  /** Receives a line for each step. Nothing is written anywhere else. */
  log?: (line: string) => void;
  /** The folder of the files; by default this package's `migrations/`. */
  folder?: string;
}

/**
 * Updates the job queue and applies all pending migrations, each in its own transaction. Instances that start together
 * wait for each other, and the later ones find nothing left to do. Creates the indexes of searches that are missing.
 * Gives the roles that the service runs as their rights.
 *
 * A role that may not change the schema can call it too, if nothing is pending.
 *
 * @param options.count - how many migrations to apply at most
 * @returns the names of the migrations that it applied, in order
 * @throws SchemaRightsError if the role may not apply what is pending
 * @throws MissingTrigramsError
 * @throws if an applied file was edited or is missing, or the server is older than Postgres 15
 */
export async function migrateUp(options: MigrateOptions & { count?: number }): Promise<string[]> {
  return withMigrationLock(options.databaseUrl, async (client) => {
    const folder = options.folder ?? migrationsFolder();
    const owner = await findSchemaOwner(client);
    if (owner === undefined) return await refusePending(client, folder);
    await createTrigrams(client);
    await actAs(client, owner);
    await ensureMigrationsTable(client);
    await checkAppliedMigrations(client, folder);
    await migrateJobQueue(options.databaseUrl, owner);
    const applied = await run(client, options, 'up', options.count ?? Number.POSITIVE_INFINITY);
    for (const name of await createSearchIndexes(client)) options.log?.(`Created the index ${name}.`);
    await grantRights(client, options);
    return applied;
  });
}

/**
 * Reverts the newest `count` migrations (1 by default), each in its own transaction.
 *
 * @returns the names of the migrations that it reverted, newest first
 * @throws SchemaRightsError if the role may not change the schema; another error if the file of one of them is missing
 */
export async function migrateDown(options: MigrateOptions & { count?: number }): Promise<string[]> {
  return withMigrationLock(options.databaseUrl, async (client) => {
    const owner = await findSchemaOwner(client);
    if (owner === undefined) throw new SchemaRightsError('backoffice migrate down');
    await actAs(client, owner);
    await ensureMigrationsTable(client);
    const reverted = await run(client, options, 'down', options.count ?? 1);
    await grantRights(client, options);
    return reverted;
  });
}

/** Reverts the newest `count` migrations in the transaction that is open on a connection. */
export async function revertInTransaction(client: Client, count: number): Promise<void> {
  const owner = await findSchemaOwner(client);
  if (owner === undefined) throw new SchemaRightsError('backoffice restore');
  await actAs(client, owner);
  await run(client, { isInTransaction: true }, 'down', count);
}

async function refusePending(client: Client, folder: string): Promise<[]> {
  const status = await checkAppliedMigrations(client, folder);
  if (status.some(({ state }) => state === 'pending')) throw new SchemaRightsError('backoffice migrate up');
  return [];
}

/** Also to roles that got their rights before: this call may not name them. */
async function grantRights(client: Client, { runtimeUrl }: MigrateOptions): Promise<void> {
  const roles = new Set(await findRuntimeRoles(client));
  if (runtimeUrl !== undefined) roles.add(await roleOf(runtimeUrl));
  for (const role of roles) await grantRuntime(client, role);
}

async function checkAppliedMigrations(client: Client, folder: string): Promise<MigrationStatus[]> {
  const status = await readMigrationStatus(client, await readMigrationFiles(folder));
  for (const { name, state } of status) {
    if (state === 'edited') {
      throw new Error(
        `Migration ${name} was edited after it was applied to this database. Restore the file and write a new migration.`,
      );
    }
    if (state === 'missing') {
      throw new Error(
        `Migration ${name} was applied to this database, but its file is missing. This build may be older than the database.`,
      );
    }
  }
  return status;
}

async function run(
  client: Client,
  options: Pick<MigrateOptions, 'folder' | 'log'> & { isInTransaction?: boolean },
  direction: 'up' | 'down',
  count: number,
): Promise<string[]> {
  const log = options.log ?? (() => {});
  const migrations = await runner({
    dbClient: client,
    dir: options.folder ?? migrationsFolder(),
    // Ignores everything except migrations, such as checksums.json. The runner anchors the pattern at both ends.
    ignorePattern: '(?!\\d+_.*\\.sql$).*',
    migrationLoaderStrategies: [
      {
        extensions: ['.sql'],
        loader: (paths: string[]) =>
          Promise.all(paths.map((path) => loadWithChecksum(path, options.isInTransaction))),
      },
    ],
    migrationsTable: migrationsTable,
    schema: 'public',
    direction,
    count,
    singleTransaction: false,
    // withMigrationLock holds the lock, so that it also covers the comparison with the files.
    noLock: true,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  return migrations.map(({ name }) => name);
}

/**
 * Loads a file as a migration that first sets its checksum. The row that records the migration reads the checksum
 * from that setting, so both are written in the same transaction.
 */
async function loadWithChecksum(path: string, isInTransaction = false) {
  const { name, sql, sha256 } = await readMigrationFile(path);
  const [up, down] = sql.split(/^-- Down Migration$/m);
  if (!up?.startsWith('-- Up Migration\n') || down === undefined) {
    throw new Error(
      `Migration ${name} must start with "-- Up Migration" and have a line "-- Down Migration".`,
    );
  }
  // One parameter each: the runner would pass a callback as the second one and wait for it.
  const actions = {
    up: (pgm: MigrationBuilder) => {
      pgm.sql(`set local ${checksumSetting} = '${sha256}'`);
      pgm.sql(up);
    },
    down: (pgm: MigrationBuilder) => {
      // The runner would begin and commit one for each.
      if (isInTransaction) pgm.noTransaction();
      pgm.sql(down);
    },
  };
  return { id: path, filePaths: [path], actions };
}
