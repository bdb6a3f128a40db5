import type { Database } from '../../db/connection/database.ts';
import { deleteLinksOfConversations } from '../../db/tables/links.ts';
import { deleteConversations } from '../../db/tables/visitors/conversations-of.ts';
import type { RecordChange } from '../call/changes.ts';
import { linkDeleted } from '../links/links.ts';

/** What is recorded instead of a text that was erased. */
const erased = '[erased]';

/** Deletes locked conversations with their links. What is recorded of them has nothing of the visitor. */
export async function eraseConversations(
  tx: Database,
  record: RecordChange,
  conversations: readonly { readonly id: string; readonly status: string }[],
): Promise<void> {
  const ids = conversations.map(({ id }) => id);
  record(...(await deleteLinksOfConversations(tx, ids)).map(linkDeleted));
  await deleteConversations(tx, ids);
  for (const { id, status } of conversations) {
    const before = { visitor_email: erased, subject: erased, status };
    record({ event: 'conversation.deleted', id, before });
  }
}
