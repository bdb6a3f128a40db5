import { Command } from 'commander';
import type { MigrationStatus } from '../../../src/db/migrate/index.ts';
import { wholeNumber } from '../../arguments.ts';
import { withDatabase } from '../../database.ts';
import { FailedError } from '../../errors.ts';
import { paint } from '../../output/colours.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { ago } from '../../output/time.ts';
import { confirm } from '../../prompts.ts';
import { print } from '../../terminal.ts';

const migrations = () => import('../../../src/db/migrate/index.ts');

/** `backoffice migrate`: the schema of the database. */
export function migrateCommand(): Command {
  const command = new Command('migrate').description('bring the database schema up or down');
  for (const verb of [status(), up(), down(), create()]) command.addCommand(verb);
  return command;
}

function status(): Command {
  const command = new Command('status').description(
    'show which migrations are applied, pending or edited since',
  );
  return withFormats(command).action(async (format: Format) => {
    const { migrationStatus } = await migrations();
    const found = await withDatabase(command, (databaseUrl) => migrationStatus({ databaseUrl }));
    await emit({ migrations: found }, format, 'migrations', () =>
      emitTable<MigrationStatus>(
        [
          { heading: 'migration', value: ({ name }) => name },
          {
            heading: 'state',
            value: ({ state }) => state,
            paint: (text, { state }) => paintState(text, state),
          },
          { heading: 'applied', value: ({ appliedAt }) => ago(appliedAt), dropAs: 1 },
        ],
        found,
      ),
    );
    if (found.some(({ state }) => state === 'edited' || state === 'missing')) {
      throw new FailedError('An applied migration was edited or is missing: restore its file.');
    }
  });
}

function up(): Command {
  const command = new Command('up')
    .description('apply every pending migration')
    .option('--dry-run', 'only show what would be applied');
  return command.action(async ({ dryRun }: { dryRun?: boolean }) => {
    const { migrateUp, migrationStatus } = await migrations();
    await withDatabase(command, async (databaseUrl) => {
      const names = dryRun
        ? (await migrationStatus({ databaseUrl }))
            .filter(({ state }) => state === 'pending')
            .map(({ name }) => name)
        : await migrateUp({ databaseUrl });
      for (const name of names) print(`${dryRun ? 'Would apply' : 'Applied'} ${name}`);
      if (names.length === 0) print('The schema is current.');
    });
  });
}

function down(): Command {
  const command = new Command('down')
    .description('undo the latest migrations; what they hold is lost')
    .option('--count <number>', 'how many', wholeNumber(1), 1)
    .option('--dry-run', 'only show what would be undone')
    .option('--yes', 'do not ask');
  return command.action(
    async ({ count, dryRun, yes }: { count: number; dryRun?: boolean; yes?: boolean }) => {
      const { migrateDown, migrationStatus } = await migrations();
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

function create(): Command {
  return new Command('create')
    .description('write the next migration file')
    .argument('<name>', 'what it does')
    .addHelpText('after', '\nExample:\n  backoffice migrate create add_issue_labels')
    .action(async (name: string) => {
      const { createMigration } = await migrations();
      print(await createMigration(name));
    });
}

function paintState(text: string, state: MigrationStatus['state']): string {
  return paint(state === 'applied' ? 'green' : state === 'pending' ? 'yellow' : 'red')(text);
}
