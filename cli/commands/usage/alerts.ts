import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { paintSeverity, paintStatus } from '../../output/colours.ts';
import { emitList, type Format, listIn } from '../../output/emit.ts';
import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';
import { withTable } from '../../shown/with-table.ts';

type Alert = NonNullable<OutputOf<'settings.show'>['tokenAlerts']>[number];

const list = listIn('settings.show', 'tokenAlerts');

const columns: readonly Column<Alert>[] = [
  {
    heading: 'status',
    value: ({ status }) => status,
    paint: (text, { status }) => paintStatus(text, status),
  },
  {
    heading: 'severity',
    value: ({ severity }) => severity,
    paint: (text, { severity }) => paintSeverity(text, severity),
  },
  { heading: 'message', value: ({ message }) => message, cut: true },
  { heading: 'cost', field: 'current', value: ({ current }) => current, align: 'right', dropAs: 1 },
  timeColumn('raised', 'triggeredAt', { dropAs: 2 }),
];

/** `backoffice usage alerts`: firing and resolved alerts. */
export function listUsageAlertsCommand(): Command {
  const command = new Command('alerts').description(
    'list budget alerts, firing ones first, then newest first',
  );
  return runs(withTable(command, list, { page: 'usage' }), 'settings.show').action(async (format: Format) => {
    const { tokenAlerts = [] } = await withAccess(command, (access) =>
      access.call('settings.show', { section: 'token-usage' }),
    );
    await emitList({ tokenAlerts }, format, list, columns, { none: 'No alerts.' });
  });
}
