import { escapeIdentifier } from 'pg';
import { errorCode } from '../../shared/errors.ts';
import { jobSchema, openJobPool } from './pool.ts';

/**
 * Creates or updates the schema of the job queue, which graphile-worker versions itself. Runs before our own migrations,
 * because they call its functions.
 *
 * @param role - the owner of the schema
 * @throws if the role may not create a schema
 */
export async function migrateJobQueue(databaseUrl: string, role: string): Promise<void> {
  // Imported here because it takes as long to load as everything else, and the readiness check does not need it.
  const { Logger, runMigrations } = await import('graphile-worker');
  // An error of the connection fails the running query, so it needs no other handling.
  const pool = openJobPool(databaseUrl, () => {});
  // The connection runs this before the first query that it is lent for. If it fails, so do the others.
  const become = `set role ${escapeIdentifier(role)}`;
  pool.on('connect', (client) => void client.query(become).catch(() => {}));
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
