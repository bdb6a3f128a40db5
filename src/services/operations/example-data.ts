import { savedReplies } from '../../contract/fields/saved-replies.ts';
import { usageKeys } from '../../contract/known-settings/token-settings.ts';
import { recordedOf } from '../../contract/of-noun.ts';
import type { Database } from '../../db/connection/database.ts';
import { deleteRow } from '../../db/nouns/rows.ts';
import {
  deleteExampleRecords,
  deleteUnusedLabels,
  lockExampleConversations,
  lockUnchanged,
  takeExampleBatch,
} from '../../db/tables/example-data.ts';
import { deleteSettingRows } from '../../db/tables/settings.ts';
import { updateTokenAlerts } from '../analytics/token-alerts.ts';
import type { RecordChange } from '../call/changes.ts';
import { chunksOf, eraseConversations } from '../visitors/visitors.ts';
import type { HandlersOf } from './handler-types.ts';
import { deleteIssues } from './issues.ts';
import { recordDeleted } from './settings.ts';

type Batch = NonNullable<Awaited<ReturnType<typeof takeExampleBatch>>>;

export const exampleDataHandlers = {
  /** Each batch is a change of its own, so that others wait for none of them long. */
  'exampleData.delete': async ({ change }) => {
    let deleted = 0;
    while (true) {
      const rows = await change(async (tx, record) => {
        const batch = await takeExampleBatch(tx);
        return batch && (await deleteBatch(tx, record, batch));
      });
      if (rows === null) return { success: true, deleted };
      deleted += rows;
    }
  },
} satisfies HandlersOf<'exampleData'>;

/** Deletes the rows of a batch, and returns how many there were. */
async function deleteBatch(tx: Database, record: RecordChange, batch: Batch): Promise<number> {
  const rows = await deleteRows(tx, record, batch);
  record({ event: 'example_data.deleted', id: null, after: { table: batch.table, rows } });
  return rows;
}

async function deleteRows(
  tx: Database,
  record: RecordChange,
  { table, ids, made_at }: Batch,
): Promise<number> {
  switch (table) {
    case 'issues':
      return await deleteIssues(tx, record, ids.map(Number));
    case 'conversations': {
      const found = await lockExampleConversations(tx, ids);
      for (const some of chunksOf(found)) await eraseConversations(tx, record, some);
      return found.length;
    }
    case 'saved_replies': {
      const unchanged = await lockUnchanged(tx, table, ids, made_at);
      for (const id of unchanged.map(Number)) {
        const before = await deleteRow(tx, savedReplies, id);
        if (before !== null)
          record({ event: 'saved_reply.deleted', id, before: recordedOf(savedReplies, before) });
      }
      return unchanged.length;
    }
    case 'settings': {
      const removed = await deleteSettingRows(tx, await lockUnchanged(tx, table, ids, made_at));
      recordDeleted(record, removed);
      if (removed.some(({ key }) => usageKeys.includes(key))) await updateTokenAlerts(tx, record);
      return removed.length;
    }
    case 'labels': {
      const unused = await deleteUnusedLabels(tx, ids);
      for (const name of unused) record({ event: 'label.deleted', id: null, before: { name } });
      return unused.length;
    }
    default:
      return await deleteExampleRecords(tx, table, ids);
  }
}
