import type { Databases } from '../../db/replica/databases.ts';
import { deleteExpiredAuditRecords, selectAuditRetention } from '../../db/tables/audit.ts';
import type { Actor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';

/** Records per transaction: large enough to be fast, small enough not to block other changes for long. */
const batchSize = 5_000;

/** Not an operation of the registry, because no request runs it. */
const purge = { id: 'audit.purge', changes: ['audit.purged'] } as const;

/**
 * Deletes the audit records that are older than the setting `audit_retention_days` (at least 30), in batches. Without
 * the setting, deletes none. Each batch is recorded too.
 *
 * @param onProgress - called after each batch with the number of records deleted so far
 * @returns the number of records deleted
 */
export async function purgeAudit(
  { databases }: { readonly databases: Databases },
  actor: Actor,
  { stop, onProgress }: { stop?: AbortSignal; onProgress?: (removed: number) => void } = {},
): Promise<number> {
  const change = changesOf(databases.primary, actor, purge);
  let removed = 0;
  while (stop?.aborted !== true) {
    const batch = await change(async (tx, record) => {
      const records = await deleteExpiredAuditRecords(tx, batchSize);
      const before = await selectAuditRetention(tx);
      if (records > 0) record({ event: 'audit.purged', id: null, after: { records, before } });
      return records;
    });
    removed += batch;
    if (batch > 0) onProgress?.(removed);
    if (batch < batchSize) break;
  }
  return removed;
}
