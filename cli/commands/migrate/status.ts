import { Command } from 'commander';
import type { MigrationStatus } from '../../../src/db/migrate/index.ts';
import { withSchemaAccess } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { paint } from '../../output/colours.ts';
import { emit, emitTable, type Format, withFormats } from '../../output/emit.ts';
import { ago } from '../../output/time.ts';

/** `backoffice migrate status`. */
export function showMigrationStatusCommand(): Command {
  const command = new Command('status').description('show which migrations are applied, pending or edited');
  return withFormats(command).action(async (format: Format) => {
    const { migrationStatus } = await import('../../../src/db/migrate/index.ts');
    const found = await withSchemaAccess(command, (access) => migrationStatus(access));
    await emit(
      { migrations: found },
      format,
      { name: 'migrations', fields: () => ['name', 'state', 'appliedAt'] },
      () =>
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
      throw new FailedError('An applied migration was edited or is missing. Restore its file.');
    }
  });
}

function paintState(text: string, state: MigrationStatus['state']): string {
  return paint(state === 'applied' ? 'green' : state === 'pending' ? 'yellow' : 'red')(text);
}
