import { jobSchema, openJobPool } from '../job-queue/pool.ts';

/**
 * Brings up the schema of the job queue, which graphile-worker keeps and versions itself. It comes before our own
 * migrations: they call its functions, and where the newest of them is applied, the queue is there too.
 *
 * @throws where the role may not make a schema
 */
export async function migrateJobQueue(databaseUrl: string): Promise<void> {
  // It takes as long to load as all the rest, and the readiness check comes by this module without it.
  const { Logger, runMigrations } = await import('graphile-worker');
  // An error of the connection fails the query under way, and there is nothing else.
  const pool = openJobPool(databaseUrl, () => {});
  const disconnected = new Promise<unknown>((resolve) => pool.once('remove', resolve));
  try {
    await runMigrations({ pgPool: pool, schema: jobSchema, logger: new Logger(() => () => {}) });
  } catch (error) {
    throw isForbidden(error) ? new Error(needsCreate, { cause: error }) : error;
  } finally {
    await pool.end();
  }
  // Whoever copies or drops the database next has it to himself.
  await disconnected;
}

const needsCreate =
  `The job queue has a schema of its own, ${jobSchema}, which this role may not make: ` +
  'grant it CREATE on the database, or let it own the database.';

/** Postgres' insufficient_privilege. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501';
}
