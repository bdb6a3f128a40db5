import { Command } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { paintSeverity, paintStatus } from '../../output/colours.ts';
import { emit, emitTable, type Format, listIn, withFormats } from '../../output/emit.ts';
import { ago } from '../../output/time.ts';
import { remark } from '../../terminal.ts';

type Alert = NonNullable<OutputOf<'settings.show'>['tokenAlerts']>[number];

/** `backoffice usage alerts`: firing and resolved alerts. */
export function listUsageAlertsCommand(): Command {
  const command = new Command('alerts').description(
    'list budget alerts, firing ones first, then newest first',
  );
  return runs(withFormats(command, 'json and csv'), 'settings.show').action(async (format: Format) => {
    const { tokenAlerts = [] } = await withAccess(command, (access) =>
      access.call('settings.show', { section: 'token-usage' }),
    );
    await emit({ tokenAlerts }, format, listIn('settings.show', 'tokenAlerts'), async () => {
      if (tokenAlerts.length === 0) return remark('No alerts.');
      await emitTable<Alert>(
        [
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
          { heading: 'cost', value: ({ current }) => current, align: 'right', dropAs: 1 },
          { heading: 'raised', value: ({ triggeredAt }) => ago(triggeredAt), dropAs: 2 },
        ],
        tokenAlerts,
      );
    });
  });
}
