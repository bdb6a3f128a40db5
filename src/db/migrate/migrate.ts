import { type MigrationBuilder, runner } from 'node-pg-migrate';
import { type Client, escapeIdentifier } from 'pg';
import { errorCode } from '../../shared/error-code.ts';
import { withConnection } from '../connection/own-connection.ts';
import { jobSchema, openJobPool } from '../job-queue/pool.ts';
import { findRuntimeRoles, grantRuntime, roleOf } from '../roles/grants.ts';
import {
  checksumSetting,
  migrationsFolder,
  migrationsTable,
  partsOf,
  readMigrationFile,
  readMigrationFiles,
} from './files.ts';
import { describeDiskNeed, StepLog } from './progress.ts';
import {
  actAs,
  ensureMigrationsTable,
  findSchemaOwner,
  type SchemaOwner,
  SchemaRightsError,
  withMigrationLock,
} from './session.ts';
import { type MigrationStatus, readMigrationStatus } from './status.ts';
import { createSearchIndexes, createTrigrams } from './trigrams.ts';

interface MigrateOptions {
  /** The URL of the role that owns the schema. */
  databaseUrl: string;
  /** The URL of the role that the service runs as, if it is another. It gets the rights that it needs. */
  runtimeUrl?: string | undefined;
  /**
   * Receives a line when a step begins, while it takes long, and when it has ended; first how much disk all need. Of a new
   * database it receives none, because nothing there takes long.
   */
  log?: ((line: string) => void) | undefined;
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
  const work = async (client: Client) => {
    const folder = options.folder ?? migrationsFolder();
    const owner = await findSchemaOwner(client);
    if (owner === undefined) return await refusePending(client, folder);
    await createTrigrams(client);
    await actAs(client, owner);
    await ensureMigrationsTable(client);
    const status = await checkAppliedMigrations(client, folder);
    await migrateJobQueue(options.databaseUrl, owner);
    const pending = pendingOf(status).slice(0, options.count);
    const isNew = status.every(({ state }) => state === 'pending');
    const log = (!isNew && options.log) || (() => {});
    if (pending.length > 0 && !isNew) log(await describeDiskNeed(client, folder, pending));
    const steps = new StepLog(log);
    try {
      const begin = (name: string) =>
        steps.begin(name, `Applying ${name} (${pending.indexOf(name) + 1} of ${pending.length})`);
      const applied = await run(client, options, 'up', pending.length, begin);
      await createSearchIndexes(client, (name) => steps.begin(name, `Creating the index ${name}`));
      steps.end();
      await grantRights(client, options);
      return applied;
    } finally {
      steps.stop();
    }
  };
  return await withMigrationLock(options.databaseUrl, work, options.log);
}

/** Returns the names of the migrations that `migrateUp` would apply, in order, and a sentence about the disk they need. */
export async function planMigrations({
  databaseUrl,
  folder = migrationsFolder(),
}: MigrateOptions): Promise<{ readonly names: readonly string[]; readonly disk: string }> {
  return await withConnection(databaseUrl, async (client) => {
    const names = pendingOf(await readMigrationStatus(client, await readMigrationFiles(folder)));
    return { names, disk: await describeDiskNeed(client, folder, names) };
  });
}

function pendingOf(status: readonly MigrationStatus[]): readonly string[] {
  return status.filter(({ state }) => state === 'pending').map(({ name }) => name);
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
  if (pendingOf(status).length > 0) throw new SchemaRightsError('backoffice migrate up');
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
  begin: (name: string) => void = () => {},
): Promise<string[]> {
  const silent = () => {};
  const migrations = await runner({
    dbClient: client,
    dir: options.folder ?? migrationsFolder(),
    // Ignores everything except migrations, such as checksums.json. The runner anchors the pattern at both ends.
    ignorePattern: '(?!\\d+_.*\\.sql$).*',
    migrationLoaderStrategies: [
      {
        extensions: ['.sql'],
        loader: (paths: string[]) =>
          Promise.all(paths.map((path) => loadWithChecksum(path, begin, options.isInTransaction))),
      },
    ],
    migrationsTable: migrationsTable,
    schema: 'public',
    direction,
    count,
    singleTransaction: false,
    // withMigrationLock holds the lock, so that it also covers the comparison with the files.
    noLock: true,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return migrations.map(({ name }) => name);
}

/**
 * Loads a file as a migration that first sets its checksum. The row that records the migration reads the checksum
 * from that setting, so both are written in the same transaction.
 *
 * @param begin - called when a migration begins to be applied
 */
async function loadWithChecksum(path: string, begin: (name: string) => void, isInTransaction = false) {
  const file = await readMigrationFile(path);
  const { up, down } = partsOf(file);
  // One parameter each: the runner would pass a callback as the second one and wait for it.
  const actions = {
    up: (pgm: MigrationBuilder) => {
      begin(file.name);
      pgm.sql(`set local ${checksumSetting} = '${file.sha256}'`);
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

/**
 * Creates or updates the schema of the job queue, which graphile-worker versions itself. Runs before our own
 * migrations, because they call its functions, and so that the queue exists if the newest of them is applied.
 *
 * @throws if the role may not create a schema
 */
async function migrateJobQueue(databaseUrl: string, { role, isOther }: SchemaOwner): Promise<void> {
  // Imported here because it takes as long to load as everything else, and the readiness check does not need it.
  const { Logger, runMigrations } = await import('graphile-worker');
  // An error of the connection fails the running query, so it needs no other handling.
  const pool = openJobPool(databaseUrl, () => {});
  // The connection runs this before the first query that it is lent for. If it fails, so do the others.
  const become = `set role ${escapeIdentifier(role)}`;
  if (isOther) pool.on('connect', (client) => void client.query(become).catch(() => {}));
  const disconnected = new Promise<unknown>((resolve) => pool.once('remove', resolve));
  try {
    await runMigrations({ pgPool: pool, schema: jobSchema, logger: new Logger(() => () => {}) });
  } catch (error) {
    throw errorCode(error) === insufficientPrivilege ? new Error(needsCreate, { cause: error }) : error;
  } finally {
    await pool.end();
  }
  // Wait until the server has closed the connection, so that the caller can copy or drop the database.
  await disconnected;
}

const insufficientPrivilege = '42501';

const needsCreate =
  `This role may not create the schema of the job queue, ${jobSchema}. ` +
  'Grant it CREATE on the database, or make it the owner of the database.';
