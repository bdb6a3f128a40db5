import { Command } from 'commander';
import { createMigrationCommand } from './create.ts';
import { showMigrationStatusCommand } from './status.ts';
import { migrateUpCommand } from './up.ts';

/** `backoffice migrate`: the schema of the database. */
export function migrateCommand(): Command {
  const command = new Command('migrate');
  const verbs = [showMigrationStatusCommand(), migrateUpCommand(), createMigrationCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
