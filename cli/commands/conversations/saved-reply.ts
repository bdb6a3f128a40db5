import { fillPlaceholders } from '../../../src/contract/saved-reply-text.ts';
import type { Access } from '../../access/access.ts';
import type { FoundThread } from '../../access/thread.ts';
import { UsageError } from '../../errors.ts';
import { findSavedReply } from '../saved-replies/find.ts';

/**
 * Returns the text of a saved reply to a conversation.
 *
 * @throws UsageError if the reply has the name of the sender, who has none
 */
export async function readSavedReply(
  access: Access,
  shortcut: string,
  { id, visitor_name }: FoundThread['conversation'],
): Promise<string> {
  const { content } = await findSavedReply(access, shortcut);
  const { admin } = await access.call('session.show');
  if (admin === null && content.includes('{{admin_name}}')) {
    throw new UsageError(
      'The saved reply has {{admin_name}}, and API tokens and local operators have no name. Send the text itself.',
    );
  }
  const sender = admin === null ? {} : { admin_name: admin.username };
  return fillPlaceholders(content, { visitor_name, conversation_id: id, ...sender });
}
