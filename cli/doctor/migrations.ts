import { OldSchemaError, upgradeFirst } from '../../src/db/migrate/former-schema.ts';
import { type MigrationStatus, migrationStatus } from '../../src/db/migrate/status.ts';
import { type Finding, failed, ok } from './finding.ts';

const check = 'migrations';

/** Checks that the migrations of this build, and no others, are applied. */
export async function checkMigrations(databaseUrl: string): Promise<Finding> {
  const found = await migrationStatus({ databaseUrl }).catch((error: unknown) => {
    if (error instanceof OldSchemaError) return undefined;
    throw error;
  });
  if (found === undefined) return failed(check, 'older than those of Backoffice 0.2.0', upgradeFirst);
  const names = (state: MigrationStatus['state']) =>
    found.filter((migration) => migration.state === state).map(({ name }) => name);
  const [edited, missing, pending] = [names('edited'), names('missing'), names('pending')];
  if (edited.length > 0) {
    const advice = 'Restore these files as they were applied, and put the change into a new migration.';
    return failed(check, `edited after they were applied: ${edited.join(', ')}`, advice);
  }
  if (missing.length > 0) {
    const advice = 'Install the build that applied them, or a newer one.';
    return failed(check, `applied, but unknown to this build: ${missing.join(', ')}`, advice);
  }
  if (pending.length > 0) {
    return failed(check, `pending: ${pending.join(', ')}`, 'Run `backoffice migrate up`.');
  }
  return ok(check, `all ${found.length} are applied`);
}
