import type { Databases } from '../../db/replica/databases.ts';
import { lockOldConversations } from '../../db/tables/conversations/old-conversations.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { serviceActor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import { eraseConversations } from '../visitors/erase-conversations.ts';
import { parseRetentionDays } from './retention.ts';

/** Conversations per transaction: each may have many messages. */
const defaultBatchSize = 200;

/** Not an operation of the registry, because no request runs it. */
const purge = { id: 'conversations.purge', changes: ['link.deleted', 'conversation.deleted'] } as const;

/**
 * Deletes the resolved and closed conversations that nobody has touched for as many days as the setting
 * `conversation_retention_days` says, in batches. Without the setting, deletes none.
 */
export async function purgeConversations(
  { databases }: { readonly databases: Databases },
  batchSize = defaultBatchSize,
): Promise<void> {
  const change = changesOf(databases.primary, serviceActor, purge);
  for (;;) {
    const { conversation_retention_days: value = '' } = await selectSettings(databases.primary, [
      'conversation_retention_days',
    ]);
    const days = parseRetentionDays(value);
    if (days === undefined) return;
    const deleted = await change(async (tx, record) => {
      const old = await lockOldConversations(tx, days, batchSize);
      await eraseConversations(tx, record, old);
      return old.length;
    });
    if (deleted < batchSize) return;
  }
}
