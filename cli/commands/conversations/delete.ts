import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { confirm } from '../../input/prompts.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import { printable } from '../../output/text.ts';
import { print, remark } from '../../terminal.ts';
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
          return await emitChange({ matched: ids.length }, options, () => print(`Would delete ${what}.`));
        const messages = ids.length === 1 ? 'all its messages' : 'all their messages';
        if (ids.length > 0) await confirm(`Delete ${what} and ${messages}?`, yes);
        await deleteAll(access, ids);
        await emitChange({ success: true, deleted: ids.length }, options, () => print(`Deleted ${what}.`));
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
  if (answer.unknown.length > 0) remark(printable(`Unknown: ${answer.unknown.join(', ')}.`));
  const unknown = new Set(answer.unknown);
  return ids.filter((id) => !unknown.has(id));
}

async function nameOf(access: Access, ids: readonly string[]): Promise<string> {
  const [id] = ids;
  if (id === undefined || ids.length > 1) return counted(ids.length, 'conversation');
  const { conversation } = await readThread(access, id, 1);
  return printable(`the conversation ${id} with ${conversation.visitor_name}`);
}

async function deleteAll(access: Access, ids: readonly string[]): Promise<void> {
  const progress = createProgress();
  let done = 0;
  const show = () => {
    if (ids.length > maxQuick) progress.show({ what: 'conversations', done, total: ids.length });
  };
  show();
  try {
    for (const id of ids) {
      await access.call('conversations.delete', { id });
      done += 1;
      show();
    }
  } catch (error) {
    if (done > 0) remark(`Deleted ${counted(done, 'conversation')} before this error.`);
    throw error;
  } finally {
    progress.end();
  }
}
