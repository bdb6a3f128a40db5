import { countActiveSuperadmins } from '../../src/db/admins.ts';
import { connectDatabases } from '../../src/db/connect.ts';
import { checkIssueCounters, hasMoreIssuesThan } from '../../src/db/issue-counters.ts';
import { type MigrationStatus, migrationStatus } from '../../src/db/migrate.ts';
import type { Database } from '../../src/db/pool.ts';
import { sentenceOf } from '../failures.ts';
import { type Finding, failed, notChecked, ok } from './finding.ts';

/** Up to so many issues, counting them all again takes no longer than the other checks. */
const fewIssues = 100_000;

/** Is what the database holds in order? */
export async function checkData(databaseUrl: string): Promise<Finding[]> {
  const migrations = await tried('migrations', async () =>
    judgeMigrations(await migrationStatus({ databaseUrl })),
  );
  if (migrations.state !== 'ok') {
    const because = 'the schema is not that of this build';
    return [migrations, notChecked('superadmin', because), notChecked('issue counts', because)];
  }
  const databases = connectDatabases({ databaseUrl, poolSize: 1 });
  try {
    return [
      migrations,
      await tried('superadmin', () => checkSuperadmin(databases.primary)),
      await tried('issue counts', () => checkCounts(databases.primary)),
    ];
  } finally {
    await databases.close();
  }
}

function judgeMigrations(found: readonly MigrationStatus[]): Finding {
  const check = 'migrations';
  const names = (state: MigrationStatus['state']) =>
    found.filter((migration) => migration.state === state).map(({ name }) => name);
  const [edited, missing, pending] = [names('edited'), names('missing'), names('pending')];
  if (edited.length > 0) {
    const mend = 'Restore these files as they were applied, and put the change into a new migration.';
    return failed(check, `edited after they were applied: ${edited.join(', ')}`, mend);
  }
  if (missing.length > 0) {
    const mend = 'Install the build that this database belongs to, or a newer one.';
    return failed(check, `applied, but unknown to this build: ${missing.join(', ')}`, mend);
  }
  if (pending.length > 0) {
    return failed(check, `pending: ${pending.join(', ')}`, 'Run backoffice migrate up.');
  }
  return ok(check, `all ${found.length} are applied`);
}

async function checkSuperadmin(db: Database): Promise<Finding> {
  const count = await countActiveSuperadmins(db);
  if (count > 0) return ok('superadmin', `${count} active`);
  const mend = 'Run backoffice admins create --role superadmin --email <email>, or activate one.';
  return failed('superadmin', 'none is active', mend);
}

async function checkCounts(db: Database): Promise<Finding> {
  const check = 'issue counts';
  if (await hasMoreIssuesThan(db, fewIssues)) {
    return ok(check, 'not compared, for there are many issues: backoffice issues recount --check does it');
  }
  const differences = await checkIssueCounters(db);
  if (differences.length === 0) return ok(check, 'every count is right');
  return failed(check, `${differences.length} counts are wrong`, 'Run backoffice issues recount.');
}

async function tried(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return failed(check, sentenceOf(error), 'Check that the role of DATABASE_URL may read every table.');
  }
}
