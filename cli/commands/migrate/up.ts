import { Command } from 'commander';
import { withSchemaAccess } from '../../access/database.ts';
import { print, remark } from '../../terminal.ts';

/** `backoffice migrate up`. */
export function migrateUpCommand(): Command {
  const command = new Command('up')
    .description('apply all pending migrations')
    .option('--dry-run', 'only show what would be applied');
  return command.action(async ({ dryRun }: { dryRun?: boolean }) => {
    const { migrateUp, planMigrations } = await import('../../../src/db/migrate/migrate.ts');
    await withSchemaAccess(command, async (access) => {
      const plan = dryRun ? await planMigrations(access) : undefined;
      const names = plan?.names ?? (await migrateUp({ ...access, log: remark }));
      if (plan !== undefined && names.length > 0) remark(plan.disk);
      if (plan?.adopts) print('Would adopt the schema of Backoffice 0.2.0');
      for (const name of names) print(`${dryRun ? 'Would apply' : 'Applied'} ${name}`);
      if (names.length === 0 && !plan?.adopts) print('The schema is up to date.');
    });
  });
}
