import { rebuildTokenUsageSums } from '../../db/analytics/token-usage-sums.ts';
import type { Services } from '../call/context.ts';
import { refreshTokenAlerts } from './token-alerts.ts';

/** Recomputes the sums of token usage from every record, then the alerts from the new sums. */
export async function recomputeTokenUsage({ databases }: Pick<Services, 'databases'>): Promise<void> {
  await rebuildTokenUsageSums(databases.primary);
  await refreshTokenAlerts({ databases });
}
