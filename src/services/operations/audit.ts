import type { ParsedInputOf } from '../../contract/registry.ts';
import { toCursor } from '../../contract/schemas/lists.ts';
import {
  auditList,
  deleteExpiredAuditRecords,
  selectAuditAfter,
  selectAuditRetention,
} from '../../db/tables/audit.ts';
import type { Actor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import type { Context, Services } from '../call/context.ts';
import { answerList } from '../streaming/list-answer.ts';
import { StreamedJson } from '../streaming/streamed-json.ts';

/** How many records after an id make a page where nothing else is said. */
const pageRows = 1_000;

export async function listAudit(
  context: Context,
  { limit, ...filter }: ParsedInputOf<'audit.list'>,
): Promise<StreamedJson> {
  if (filter.after === undefined) return answerList(context, 'audit.list', auditList(filter), limit);
  return new StreamedJson(async (write) => {
    const { rows, next } = await selectAuditAfter(context.db, filter, limit ?? pageRows);
    const cursor = next === null ? null : toCursor(next);
    await write(`{"audit":[${rows.join(',')}],"nextCursor":${JSON.stringify(cursor)}}`);
  });
}

/** Records in one transaction: enough to be quick, few enough to hold nobody up. */
const batchSize = 5_000;

/** What is recorded of it; it is no operation, as no request asks for it. */
const purge = { id: 'audit.purge', changes: ['audit.purged'] } as const;

/**
 * Removes the audit records that are older than the setting `audit_retention_days` says (at least 30; without the
 * setting, none), in batches, each of which leaves a record of itself.
 *
 * @param onProgress - told of how many are gone so far, after each batch
 * @returns how many are gone
 */
export async function purgeAudit(
  { databases }: Pick<Services, 'databases'>,
  actor: Actor,
  { stop, onProgress }: { stop?: AbortSignal; onProgress?: (removed: number) => void } = {},
): Promise<number> {
  const change = changesOf(databases.primary, actor, purge);
  let removed = 0;
  while (stop?.aborted !== true) {
    const batch = await change(async (tx, touch) => {
      const records = await deleteExpiredAuditRecords(tx, batchSize);
      const before = await selectAuditRetention(tx);
      if (records > 0) touch({ event: 'audit.purged', id: null, after: { records, before } });
      return records;
    });
    removed += batch;
    if (batch > 0) onProgress?.(removed);
    if (batch < batchSize) break;
  }
  return removed;
}
