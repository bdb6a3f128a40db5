import { Command } from 'commander';
import type { MigrationStatus } from '../../../src/db/migrate/status.ts';
import { withSchemaAccess } from '../../access/database.ts';
import { FailedError } from '../../errors.ts';
import { paint } from '../../output/colours.ts';
import { emitList, type Format } from '../../output/emit.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

const list = { name: 'migrations', id: 'name', fields: () => ['name', 'state', 'appliedAt'] };

const columns: readonly Column<MigrationStatus>[] = [
  { heading: 'migration', field: 'name', value: ({ name }) => name },
  { heading: 'state', value: ({ state }) => state, paint: (text, { state }) => paintState(text, state) },
  timeColumn('applied', 'appliedAt', { dropAs: 1 }),
];

/** `backoffice migrate status`. */
export function showMigrationStatusCommand(): Command {
  const command = new Command('status').description('show which migrations are applied, pending or edited');
  return withTable(command, list).action(async (format: Format) => {
    const { migrationStatus } = await import('../../../src/db/migrate/status.ts');
    const found = await withSchemaAccess(command, (access) => migrationStatus(access), false);
    await emitList({ migrations: found }, format, list, columns, { none: 'No migrations.' });
    if (found.some(({ state }) => state === 'edited' || state === 'missing')) {
      throw new FailedError('An applied migration was edited or is missing. Restore its file.');
    }
  });
}

function paintState(text: string, state: MigrationStatus['state']): string {
  return paint(state === 'applied' ? 'green' : state === 'pending' ? 'yellow' : 'red')(text);
}
