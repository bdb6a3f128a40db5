import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { deleteRows } from '../../bulk/delete-rows.ts';
import { confirm } from '../../input/prompts.ts';
import { remarkUnknown } from '../../output/bulk-change.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { printable } from '../../output/text.ts';
import { print } from '../../terminal.ts';
import { changeConversations, findConversations } from './change-conversations.ts';
import {
  type ConversationSelectionOptions,
  readConversationSelection,
  withConversationSelection,
} from './selection.ts';

/** Above this, deleting shows progress: each conversation is a call. */
const maxQuick = 100;

/** `backoffice conversations delete`. */
export function deleteConversationsCommand(): Command {
  const command = withConversationSelection(
    new Command('delete').description('delete conversations and all their messages; this cannot be undone'),
  ).addHelpText(
    'after',
    `
Examples:
  backoffice conversations delete conv_1769851800000_k3x9a2b --dry-run
  backoffice conversations delete --filter 'status:closed older:2y'`,
  );
  return runs(withFormats(command), 'conversations.delete').action(
    async (words: readonly string[], options: ConversationSelectionOptions & Format) => {
      const selection = await readConversationSelection(words, options);
      const { dryRun, yes } = options;
      await withAccess(command, async (access) => {
        const ids = await existing(access, await findConversations(access, selection, dryRun === true));
        const what = await nameOf(access, ids);
        if (dryRun)
          return await emit({ matched: ids.length }, options, undefined, () =>
            print(`Would delete ${what}.`),
          );
        const messages = ids.length === 1 ? 'all its messages' : 'all their messages';
        if (ids.length > 0) await confirm(`Delete ${what} and ${messages}?`, yes);
        const remove = async ([id = '']: readonly string[]) => {
          await access.call('conversations.delete', { id });
          return 1;
        };
        await deleteRows({ noun: 'conversation', ids, batchSize: 1, quick: maxQuick, remove }, options, what);
      });
    },
  );
}

/** Returns those ids that a conversation has, and names the others. */
async function existing(access: Access, ids: readonly string[]): Promise<readonly string[]> {
  const { answer } = await changeConversations(
    access,
    { ids },
    // What it would set does not matter.
    { set: { read: true }, question: () => '', dryRun: true },
  );
  remarkUnknown(answer.unknown);
  const unknown = new Set(answer.unknown);
  return ids.filter((id) => !unknown.has(id));
}

async function nameOf(access: Access, ids: readonly string[]): Promise<string> {
  const [id] = ids;
  if (id === undefined || ids.length > 1) return counted(ids.length, 'conversation');
  const { conversation } = await readThread(access, id, 1);
  return printable(`the conversation ${id} with ${conversation.visitor_name}`);
}
