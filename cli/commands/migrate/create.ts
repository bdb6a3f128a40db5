import { Command } from 'commander';
import { print } from '../../terminal.ts';

/** `backoffice migrate create`. */
export function createMigrationCommand(): Command {
  return new Command('create')
    .description('create the next migration file')
    .argument('<name>', 'what the migration does')
    .addHelpText('after', '\nExample:\n  backoffice migrate create add_issue_labels')
    .action(async (name: string) => {
      const { createMigration } = await import('../../../src/db/migrate/index.ts');
      print(await createMigration(name));
    });
}
