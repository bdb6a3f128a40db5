import { insertTokenUsage } from '../../db/tables/usage/token-usage.ts';
import { updateOrQueueTokenAlerts } from '../analytics/token-alerts.ts';
import type { HandlersOf } from './handler-types.ts';

export const tokenUsageHandlers = {
  'tokenUsage.record': async ({ change }, records) => {
    // If several records have the same id, the first one counts, as if they had arrived one by one.
    const unique = new Map(records.toReversed().map((record) => [record.record_id, record]));
    const recorded = await change(async (tx, record) => {
      const added = await insertTokenUsage(tx, [...unique.values()]);
      if (added === 0) return 0;
      record({
        event: 'token_usage.recorded',
        id: null,
        after: { records: added, duplicates: records.length - added },
      });
      await updateOrQueueTokenAlerts(tx, record);
      return added;
    });
    return { success: true, recorded, duplicates: records.length - recorded };
  },
} satisfies HandlersOf<'tokenUsage'>;
