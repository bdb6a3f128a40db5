import { Command } from 'commander';
import { withSchemaAccess } from '../../access/database.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { print } from '../../terminal.ts';

/** `backoffice migrate down`. */
export function migrateDownCommand(): Command {
  const command = new Command('down')
    .description('revert the latest migrations; the data in their tables is lost')
    .option('--count <number>', 'the number of migrations', wholeNumber(1), 1)
    .option('--dry-run', 'only show what would be reverted')
    .option('--yes', 'do not ask');
  return command.action(
    async ({ count, dryRun, yes }: { count: number; dryRun?: boolean; yes?: boolean }) => {
      const { migrateDown } = await import('../../../src/db/migrate/migrate.ts');
      const { migrationStatus } = await import('../../../src/db/migrate/status.ts');
      await withSchemaAccess(command, async (access) => {
        const applied = (await migrationStatus(access)).filter(({ state }) => state !== 'pending');
        const names = applied
          .slice(-count)
          .map(({ name }) => name)
          .reverse();
        if (names.length === 0) return print('No migrations are applied.');
        if (dryRun) return print(names.map((name) => `Would revert ${name}`).join('\n'));
        await confirm(`Revert ${names.join(', ')} and delete the data in their tables?`, yes);
        for (const name of await migrateDown({ ...access, count })) print(`Reverted ${name}`);
      });
    },
  );
}
