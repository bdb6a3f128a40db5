import { Command } from 'commander';
import { withDatabase } from '../../access/database.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { print } from '../../terminal.ts';

/** `backoffice migrate down`. */
export function migrateDownCommand(): Command {
  const command = new Command('down')
    .description('undo the latest migrations; what they hold is lost')
    .option('--count <number>', 'how many', wholeNumber(1), 1)
    .option('--dry-run', 'only show what would be undone')
    .option('--yes', 'do not ask');
  return command.action(
    async ({ count, dryRun, yes }: { count: number; dryRun?: boolean; yes?: boolean }) => {
      const { migrateDown, migrationStatus } = await import('../../../src/db/migrate/index.ts');
      await withDatabase(command, async (databaseUrl) => {
        const applied = (await migrationStatus({ databaseUrl })).filter(({ state }) => state !== 'pending');
        const undone = applied
          .slice(-count)
          .map(({ name }) => name)
          .reverse();
        if (undone.length === 0) return print('No migration is applied.');
        if (dryRun) return print(undone.map((name) => `Would undo ${name}`).join('\n'));
        await confirm(`Undo ${undone.join(', ')}, with the data in their tables?`, yes);
        for (const name of await migrateDown({ databaseUrl, count })) print(`Undid ${name}`);
      });
    },
  );
}
