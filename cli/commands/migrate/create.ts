import { Command } from 'commander';
import { ExpectedError } from '../../../src/shared/errors.ts';
import { UsageError } from '../../errors.ts';
import { print } from '../../terminal.ts';

/** `backoffice migrate create`. */
export function createMigrationCommand(): Command {
  return new Command('create')
    .description('create the next migration file')
    .argument('<name>', 'what the migration does')
    .addHelpText('after', '\nExample:\n  backoffice migrate create add_issue_labels')
    .action(async (name: string) => {
      const { createMigration } = await import('../../../src/db/migrate/files.ts');
      try {
        print(await createMigration(name));
      } catch (error) {
        throw error instanceof ExpectedError ? new UsageError(error.message) : error;
      }
    });
}
