import { Argument } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';

/** A saved reply, as `savedReplies.list` returns it. */
export type ListedReply = OutputOf<'savedReplies.list'>['saved_replies'][number];

/** The argument of commands that act on one saved reply. */
export const shortcutArgument = () => new Argument('<shortcut>', 'the shortcut of the saved reply');

/**
 * Finds a saved reply by its shortcut, ignoring case.
 *
 * @throws NotFoundError if there is none
 */
export async function findSavedReply(access: Access, shortcut: string): Promise<ListedReply> {
  const { saved_replies } = await access.call('savedReplies.list');
  const found = saved_replies.find((reply) => reply.shortcut.toLowerCase() === shortcut.toLowerCase());
  if (found === undefined)
    throw new NotFoundError(`No saved reply ${shortcut}. Run \`backoffice saved-replies list\` to see all.`);
  return found;
}
