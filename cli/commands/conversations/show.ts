import { Command } from 'commander';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { readThread } from '../../access/thread.ts';
import { withAccess } from '../../access/with-access.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { paint } from '../../output/colours.ts';
import { emit, type Format, listIn } from '../../output/emit.ts';
import { isForPeople } from '../../output/formats.ts';
import { counted } from '../../output/number.ts';
import { withLines } from '../../shown/with-table.ts';
import { outputWidth, print, remark } from '../../terminal.ts';

/** The number of messages that people see by default. */
const defaultLimit = 20;
/** `comments list` shows all comments. */
const maxComments = 20;

interface ShowOptions extends Format {
  readonly limit?: number;
  readonly before?: string;
  readonly read?: true;
}

const list = listIn('messages.list', 'messages');

/** `backoffice conversations show`: the thread of one conversation. */
export function showConversationCommand(): Command {
  const command = new Command('show')
    .description(
      'show a conversation: the issues linked to it, and its latest messages and comments, oldest first',
    )
    .argument('<conversation>', 'the ID of the conversation')
    .option('--limit <number>', 'maximum number of messages; 0 for all', wholeNumber(0))
    .option('--before <cursor>', 'only messages before this cursor, which an earlier call printed')
    .option('--read', "mark the visitor's messages as read, up to the newest one shown")
    .addHelpText(
      'after',
      `
Examples:
  backoffice conversations show conv_1769851800000_k3x9a2b --read
  backoffice conversations show conv_1769851800000_k3x9a2b --json sender_type,content`,
    );
  return runs(
    withLines(command, list, { page: 'conversations', search: () => ({}) }),
    'messages.list',
    'comments.list',
    'conversations.read',
  ).action(async (id: string, { limit, before, read, ...format }: ShowOptions) => {
    const wanted = limit ?? (isForPeople(format) ? defaultLimit : 0);
    await withAccess(command, async (access) => {
      const thread = await readThread(access, id, wanted, {
        before,
        include: 'assignee,labels,channel,delivery',
      });
      await emit(thread, format, list, async () => {
        const { renderThread } = await import('../../output/thread.ts');
        print(renderThread(thread, outputWidth()));
        await printComments(access, id);
        if (thread.nextCursor !== null) {
          remark(
            `\nThere are older messages. Use --limit 0 to show all, or --before ${thread.nextCursor} to show the previous ones.`,
          );
        }
      });
      if (!read || thread.messages.length === 0) return;
      const newest = Math.max(...thread.messages.map((message) => message.id));
      const { read: marked } = await access.call('conversations.read', { id, up_to: newest });
      remark(`\nMarked ${counted(marked, 'message')} as read.`);
    });
  });
}

/** Prints the latest comments, which the visitor does not see. */
async function printComments(access: Access, conversation_id: string): Promise<void> {
  const { comments } = await access.call('comments.list', { conversation_id, limit: maxComments });
  if (comments.length === 0) return;
  const { renderComments } = await import('../../output/comments.ts');
  print(
    `\n${paint('bold')('Comments, which the visitor does not see')}\n${renderComments(comments, outputWidth())}`,
  );
}
