import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import { rebuildTokenUsageSums } from '../../db/analytics/token-usage-sums.ts';
import { insertTokenUsage } from '../../db/tables/token-usage.ts';
import { refreshTokenAlerts, updateTokenAlertsSoon } from '../analytics/token-alerts.ts';
import type { Context, Services } from '../call/context.ts';

export async function recordTokenUsage(
  { change }: Context,
  records: ParsedInputOf<'tokenUsage.record'>,
): Promise<OutputOf<'tokenUsage.record'>> {
  // The first of one id counts, as it would if they came one by one.
  const unique = new Map(records.toReversed().map((record) => [record.record_id, record]));
  const recorded = await change(async (tx, touch) => {
    const added = await insertTokenUsage(tx, [...unique.values()]);
    if (added === 0) return 0;
    touch({
      event: 'token_usage.recorded',
      id: null,
      after: { records: added, duplicates: records.length - added },
    });
    await updateTokenAlertsSoon(tx, touch);
    return added;
  });
  return { success: true, recorded, duplicates: records.length - recorded };
}

/** Sums every record of token usage again, and judges the alerts by the new sums. */
export async function recomputeTokenUsage({ databases }: Pick<Services, 'databases'>): Promise<void> {
  await rebuildTokenUsageSums(databases.primary);
  await refreshTokenAlerts({ databases });
}
