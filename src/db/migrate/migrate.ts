import type { Client } from 'pg';
import { wait } from '../../shared/waiting.ts';
import { inTransaction, oneRow, withConnection } from '../connection/own-connection.ts';
import { migrateJobQueue } from '../job-queue/migrate-queue.ts';
import { createSearchIndexes, createTrigrams } from '../lists/search-indexes.ts';
import { findRuntimeRoles, grantRuntime } from '../roles/grants.ts';
import { actAs, findSchemaOwner, SchemaRightsError } from '../roles/schema-owner.ts';
import { type MigrationFile, readMigrationFiles } from './files.ts';
import { adoptFormerSchema, baselineOf, isFormerSchema } from './former-schema.ts';
import { describeDiskNeed, runStep } from './progress.ts';
import {
  apply,
  compareMigrations,
  createMigrationsTable,
  type MigrationStatus,
  readApplied,
} from './status.ts';

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
  folder?: string | undefined;
}

/**
 * Updates the job queue and applies all pending migrations, each in its own transaction. Instances that start together
 * wait for each other, and the later ones find nothing left to do. Creates the indexes of searches that are missing.
 * Gives the roles that the service runs as their rights.
 *
 * A role that may not change the schema can call it too, if nothing is pending.
 *
 * @returns the names of the migrations that it applied, in order
 * @throws SchemaRightsError if the role may not apply what is pending
 * @throws OldSchemaError
 * @throws MissingTrigramsError
 * @throws if an applied file was edited or is missing, or the server is older than Postgres 15
 */
export async function migrateUp(options: MigrateOptions): Promise<string[]> {
  const { databaseUrl, folder, log = () => {} } = options;
  return await withConnection(databaseUrl, async (client) => {
    const serverVersion = `select current_setting('server_version') as version`;
    assertSupportedServer((await oneRow<{ version: string }>(client, serverVersion)).version);
    // The role or the database may have a timeout for the statements of requests.
    await client.query('set statement_timeout = 0');
    await lockMigrations(client, log);
    const files = await readMigrationFiles(folder);
    const { adopts, pending } = await planOf(client, files);
    const owner = await findSchemaOwner(client);
    if (owner === undefined) {
      if (adopts || pending.length > 0) throw new SchemaRightsError('backoffice migrate up');
      return [];
    }
    await createTrigrams(client);
    await actAs(client, owner);
    const isNew = pending.length === files.length;
    if (isNew) await createMigrationsTable(client);
    await migrateJobQueue(databaseUrl, owner);
    if (adopts) {
      await adoptFormerSchema(client, files);
      log(
        'Adopted the schema of Backoffice 0.2.0. Its migrations now count as the first ones of this version.',
      );
    }
    await applyAll(client, pending, isNew ? () => {} : log);
    await grantRights(client, options);
    return pending.map(({ name }) => name);
  });
}

/**
 * @param version - of the server, such as `15.18`
 * @throws if Postgres is older than 15
 */
export function assertSupportedServer(version: string): void {
  if (Number.parseInt(version, 10) >= 15) return;
  throw new Error(`Backoffice needs Postgres 15 or newer. This server is ${version}.`);
}

/** The number of the advisory lock. That of node-pg-migrate, which older versions take. */
export const migrationLockId = 7_241_865_325_823_964;
const lockIntervalMs = 50;
/** Instances that start together on a current schema hold the lock for a moment. */
const quietAttempts = 20;

/**
 * Takes the migration lock, which ends with the connection in any case. It belongs to the session, so the connection must
 * not go through a pooler that shares connections between transactions. Tries again and again: an index that is built
 * concurrently would wait for a statement that waits for the lock.
 *
 * @param log - is told if another process holds the lock for longer than a second
 */
async function lockMigrations(client: Client, log: (line: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const lock = 'select pg_try_advisory_lock($1) as locked';
    if ((await oneRow<{ locked: boolean }>(client, lock, [migrationLockId])).locked) return;
    if (attempt === quietAttempts) log('Another process migrates the database. Waiting for it.');
    await wait(lockIntervalMs);
  }
}

async function applyAll(
  client: Client,
  pending: readonly MigrationFile[],
  log: (line: string) => void,
): Promise<void> {
  if (pending.length > 0) log(await describeDiskNeed(client, pending));
  await client.query('set search_path = public');
  for (const [index, file] of pending.entries()) {
    await runStep(log, file.name, `Applying ${file.name} (${index + 1} of ${pending.length})`, () =>
      inTransaction(client, () => apply(client, file)),
    );
  }
  await createSearchIndexes(client, (name, create) =>
    runStep(log, name, `Creating the index ${name}`, create),
  );
}

/** Returns the names of the migrations that `migrateUp` would apply, in order, and a sentence about the disk they need. */
export async function planMigrations({ databaseUrl, folder }: MigrateOptions) {
  return await withConnection(databaseUrl, async (client) => {
    const { adopts, pending } = await planOf(client, await readMigrationFiles(folder));
    return { adopts, names: pending.map(({ name }) => name), disk: await describeDiskNeed(client, pending) };
  });
}

/** What is wrong with a migration that is applied. */
const problems: Partial<Record<MigrationStatus['state'], string>> = {
  edited: 'was edited after it was applied to this database. Restore the file and write a new migration.',
  missing:
    'was applied to this database, but its file is missing. This build may be older than the database.',
};

/**
 * Returns what is to be applied, and whether the schema of an older version is to be adopted, which counts as the first
 * migrations.
 *
 * @throws if an applied file was edited or is missing, or a later one is applied
 */
async function planOf(client: Client, files: readonly MigrationFile[]) {
  const found = await readApplied(client);
  if (isFormerSchema(found)) return { adopts: true, pending: files.slice(baselineOf(files).length) };
  const status = compareMigrations(found, files);
  for (const { name, state } of status) {
    if (problems[state] !== undefined) throw new Error(`Migration ${name} ${problems[state]}`);
  }
  const applied = status.filter(({ state }) => state === 'applied').length;
  const skipped = status.slice(0, applied).find(({ state }) => state === 'pending');
  if (skipped !== undefined) {
    throw new Error(`Migration ${skipped.name} is not applied, but a later one is. Give it a higher number.`);
  }
  return { adopts: false, pending: files.slice(applied) };
}

/** Also to roles that got their rights before: this call may not name them. */
async function grantRights(client: Client, { runtimeUrl }: MigrateOptions): Promise<void> {
  const roles = new Set(await findRuntimeRoles(client));
  // Poolers and the role's settings may make it another than the URL's.
  if (runtimeUrl !== undefined) roles.add(await withConnection(runtimeUrl, currentRole));
  for (const role of roles) await grantRuntime(client, role);
}

const currentRole = async (client: Client) =>
  (await oneRow<{ role: string }>(client, 'select current_user::text as role')).role;
