import { rebuildTokenUsageSums } from '../../db/analytics/token-usage-sums.ts';
import type { Databases } from '../../db/replica/databases.ts';
import { refreshTokenAlerts } from './token-alerts.ts';

/** Recomputes the sums of token usage from every record, then the alerts from the new sums. */
export async function recomputeTokenUsage({ databases }: { readonly databases: Databases }): Promise<void> {
  await rebuildTokenUsageSums(databases.primary);
  await refreshTokenAlerts({ databases });
}
