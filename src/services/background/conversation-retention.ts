import type { Databases } from '../../db/connection/connect.ts';
import { lockOldConversations } from '../../db/tables/conversations/old-conversations.ts';
import { deleteLinksOfConversations } from '../../db/tables/links.ts';
import { selectSettings } from '../../db/tables/settings.ts';
import { deleteConversations } from '../../db/tables/visitors/conversations-of.ts';
import { serviceActor } from '../call/actor.ts';
import { changesOf } from '../call/changes.ts';
import { linkDeleted } from '../links/links.ts';
import { parseRetentionDays } from './retention.ts';

/** Conversations per transaction: each may have many messages. */
const defaultBatchSize = 200;

/** Not an operation of the registry, because no request runs it. */
const purge = { id: 'conversations.purge', changes: ['link.deleted', 'conversation.deleted'] } as const;

/** What is recorded instead of the texts of a conversation: the purpose is that nothing of the visitor stays. */
const erased = '[erased]';

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
    const deleted = await change(async (tx, touch) => {
      const old = await lockOldConversations(tx, days, batchSize);
      const ids = old.map(({ id }) => id);
      touch(...(await deleteLinksOfConversations(tx, ids)).map(linkDeleted));
      await deleteConversations(tx, ids);
      for (const { id, status } of old) {
        const before = { visitor_email: erased, subject: erased, status };
        touch({ event: 'conversation.deleted', id, before });
      }
      return old.length;
    });
    if (deleted < batchSize) return;
  }
}
