import { Command, InvalidArgumentError } from 'commander';
import { createMigration, migrateDown, migrateUp, migrationStatus } from '../src/db/migrate.ts';
import { withDatabase } from './connection.ts';
import { FailedError } from './errors.ts';
import { confirm } from './prompts.ts';
import { print, printTable } from './terminal.ts';

/** `backoffice migrate`: the schema of the database. */
export function migrateCommand(): Command {
  const command = new Command('migrate').description('bring the database schema up or down');
  command
    .command('up')
    .description('apply every pending migration')
    .action(async () => {
      const applied = await withDatabase((databaseUrl) => migrateUp({ databaseUrl }));
      for (const name of applied) print(`Applied ${name}`);
      if (applied.length === 0) print('The schema is current.');
    });
  command
    .command('down')
    .description('undo the latest migrations; what they hold is lost')
    .option('--count <number>', 'how many', positive, 1)
    .option('--yes', 'do not ask')
    .action(async ({ count, yes }: { count: number; yes?: boolean }) => {
      await withDatabase(async (databaseUrl) => {
        const applied = (await migrationStatus({ databaseUrl })).filter(({ state }) => state !== 'pending');
        const undone = applied.slice(-count).map(({ name }) => name);
        if (undone.length === 0) return print('No migration is applied.');
        await confirm(`Undo ${undone.join(', ')}, with the data in their tables?`, yes);
        for (const name of await migrateDown({ databaseUrl, count })) print(`Undid ${name}`);
      });
    });
  command
    .command('status')
    .description('show which migrations are applied, pending or edited since')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await withDatabase((databaseUrl) => migrationStatus({ databaseUrl }));
      if (json) print(JSON.stringify(status));
      else
        printTable(
          ['migration', 'state', 'applied at'],
          status.map(({ name, state, appliedAt }) => [name, state, appliedAt ?? '']),
        );
      if (status.some(({ state }) => state === 'edited' || state === 'missing')) {
        throw new FailedError('An applied migration was edited or is missing: restore its file.');
      }
    });
  command
    .command('create')
    .description('write the next migration file')
    .argument('<name>', 'what it does, such as add_issue_labels')
    .action(async (name: string) => print(await createMigration(name)));
  return command;
}

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It takes a whole number from 1.');
  return number;
}
