import { deleteExampleRows, takeExampleBatch } from '../../db/tables/example-data.ts';
import { updateTokenAlerts } from '../analytics/token-alerts.ts';
import type { HandlersOf } from './handler-types.ts';

export const exampleDataHandlers = {
  /** Each batch is a change of its own, so that others wait for none of them long. */
  'exampleData.delete': async ({ change }) => {
    let deleted = 0;
    while (true) {
      const rows = await change(async (tx, record) => {
        const batch = await takeExampleBatch(tx);
        if (batch === null) return null;
        const count = await deleteExampleRows(tx, batch);
        if (batch.table === 'settings') await updateTokenAlerts(tx, record);
        record({ event: 'example_data.deleted', id: null, after: { table: batch.table, rows: count } });
        return count;
      });
      if (rows === null) return { success: true, deleted };
      deleted += rows;
    }
  },
} satisfies HandlersOf<'exampleData'>;
