import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../src/config.ts';
import { findKeptSecret, keptSecret } from '../../src/db/embedded/secrets.ts';
import type { Log } from '../../src/services/call/observer.ts';
import type { OpenServices } from '../../src/services/open.ts';
import { FailedError, LateError, UsageError } from '../errors.ts';
import { remark } from '../terminal/terminal.ts';
import { wordsOf } from '../verb/command.ts';
import { askedTarget, namedTarget, timeLimitOf } from './access.ts';

/** The configured database, or the embedded one while this process uses it. */
export interface JoinedDatabase {
  /** As the role that the service runs as. */
  readonly databaseUrl: string;
  /** As the role that owns the schema, if it is another one and known. */
  readonly ownerUrl: string | undefined;
  /** The keys that encrypt its secrets, newest first. */
  readonly encryptionKeys: readonly Buffer[];
  close(): Promise<void>;
}

/** Returns the database of DATABASE_URL, or the embedded one, which is started if it is not running. */
export async function joinDatabase(config: Config): Promise<JoinedDatabase> {
  const { databaseUrl, databaseOwnerUrl: ownerUrl, dataDirectory, encryptionKeys: keys } = config;
  if (databaseUrl !== undefined) {
    return { databaseUrl, ownerUrl, encryptionKeys: keys, close: async () => {} };
  }
  const { joinEmbeddedPostgres } = await import('../../src/db/embedded/embedded-postgres.ts');
  const postgres = await joinEmbeddedPostgres({ dataDirectory, log: remark });
  try {
    const encryptionKeys = await encryptionKeysOf(config);
    const { url, ownerUrl } = postgres;
    return { databaseUrl: url, ownerUrl, encryptionKeys, close: () => postgres.close() };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** Reports whether there is an embedded database, as far as this user may know. */
export async function hasEmbeddedDatabase(dataDirectory: string): Promise<boolean> {
  return await access(join(dataDirectory, 'postgres', 'data', 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

/**
 * A command would create an empty database, and find nothing in it.
 *
 * @throws FailedError if the embedded database does not exist
 */
async function requireData({ databaseUrl, dataDirectory }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await hasEmbeddedDatabase(dataDirectory))) return;
  throw new FailedError(
    `There is no data here yet. Run \`npm start\`. The data directory is ${dataDirectory}. ` +
      'If your data is in another one, set BACKOFFICE_DATA.',
  );
}

/**
 * Reads the configuration of a command that works on the database only.
 *
 * @throws UsageError if a server is given: the command would work on another database; or a time limit, which it would ignore
 */
export async function readLocalConfig(command: Command): Promise<Config> {
  const { readConfig } = await import('../../src/config.ts');
  const config = readConfig();
  if (askedTarget(namedTarget(command), config) !== undefined)
    throw new UsageError(
      `${wordsOf(command)} works on the database only. Remove --server and --context, and unset BACKOFFICE_SERVER and BACKOFFICE_CONTEXT.`,
    );
  refuseTimeLimit(command);
  return config;
}

/** @throws UsageError if the command line of a command that sends no requests has a time limit for them */
export function refuseTimeLimit(command: Command): void {
  if (timeLimitOf(command) === undefined) return;
  throw new UsageError(`${wordsOf(command)} works on the database without a time limit. Remove --timeout.`);
}

/**
 * Runs work with the URL of the database, and leaves the database afterwards.
 *
 * @throws UsageError if a server or a time limit is given
 */
export async function withDatabase<T>(
  command: Command,
  use: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  return await withJoined(withoutOwner(await readLocalConfig(command)), ({ databaseUrl }) =>
    use(databaseUrl),
  );
}

/** Only changes of the schema connect as its owner. */
const withoutOwner = (config: Config): Config => ({ ...config, databaseOwnerUrl: undefined });

/** What changes of the schema need: the URL of its owner, and that of the role that needs rights on it. */
export interface SchemaAccess {
  readonly databaseUrl: string;
  readonly runtimeUrl: string | undefined;
}

/** Returns what changes of the schema need. If no owner is known, the role that the service runs as makes them. */
export function schemaAccessOf({ databaseUrl, ownerUrl }: JoinedDatabase): SchemaAccess {
  return ownerUrl === undefined
    ? { databaseUrl, runtimeUrl: undefined }
    : { databaseUrl: ownerUrl, runtimeUrl: databaseUrl };
}

/**
 * Runs work as the owner of the schema, and leaves the database afterwards.
 *
 * @param creates - whether it creates the embedded database if there is none
 * @throws UsageError if a server or a time limit is given
 */
export async function withSchemaAccess<T>(
  command: Command,
  use: (access: SchemaAccess) => Promise<T>,
  creates = true,
): Promise<T> {
  const config = await readLocalConfig(command);
  return await withJoined(config, (database) => use(schemaAccessOf(database)), creates);
}

/**
 * Runs work of a command that works on the database only with the services.
 *
 * @throws UsageError if a server or a time limit is given
 */
export async function withServices<T>(
  command: Command,
  use: (services: OpenServices) => Promise<T>,
): Promise<T> {
  return await withServicesOf(await readLocalConfig(command), use);
}

/** Runs work with the services, directly on the database. */
export async function withServicesOf<T>(
  ownerConfig: Config,
  use: (services: OpenServices) => Promise<T>,
): Promise<T> {
  const config = withoutOwner(ownerConfig);
  // Loads while the database is asked what it is.
  const loading = import('../../src/services/open.ts');
  return await withJoined(config, async ({ databaseUrl, encryptionKeys }) => {
    const { openServices } = await loading;
    const services = openServices({ ...config, databaseUrl, encryptionKeys, log: quietLog });
    let isLate = false;
    try {
      return await use(services);
    } catch (error) {
      isLate = error instanceof LateError;
      throw error;
    } finally {
      const closed = services.close();
      // It waits for the statement that is late. The end of the process closes the connections.
      if (isLate) closed.catch(() => {});
      else await closed;
    }
  });
}

async function withJoined<T>(
  config: Config,
  use: (database: JoinedDatabase) => Promise<T>,
  creates = false,
): Promise<T> {
  if (!creates) await requireData(config);
  const { refusePoolers } = await import('./poolers.ts');
  const database = await joinDatabase(config);
  try {
    await refusePoolers(config);
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Commands report errors themselves, so the services log nothing. */
export const quietLog: Log = { error: () => {}, warn: () => {}, info: () => {} };

/** Returns the keys that exist, and creates none. */
export const existingEncryptionKeys = (config: KeyConfig) => encryptionKeysOf(config, findKeptSecret);

type KeyConfig = Pick<Config, 'encryptionKeys' | 'databaseUrl' | 'dataDirectory'>;

/**
 * Returns the keys that encrypt secrets, newest first: those of BACKOFFICE_ENCRYPTION_KEY, and with the embedded database
 * the one in the data directory, which is created if there is none. That one is always last, so that a command without
 * the variable uses a key that the server knows too.
 */
async function encryptionKeysOf(
  { encryptionKeys: keys, databaseUrl, dataDirectory }: KeyConfig,
  readKept: (directory: string, name: string) => Promise<string | undefined> = keptSecret,
): Promise<readonly Buffer[]> {
  const text = databaseUrl === undefined ? await readKept(dataDirectory, 'encryption-key') : undefined;
  if (text === undefined) return keys;
  const kept = Buffer.from(text, 'base64url');
  // The variable lists it too during a rotation.
  return keys.some((key) => key.equals(kept)) ? keys : [...keys, kept];
}
