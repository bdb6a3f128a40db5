import { history } from '../../src/contract/fields/changes.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { readPages, readThread } from '../access/pages.ts';
import { emit } from '../output/emit.ts';
import { defaultRows, isForPeople, listIn } from '../output/formats.ts';
import { columnsOf } from '../terminal/columns.ts';
import { outputWidth, print, remark } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { paint } from '../terminal/tones.ts';
import { table } from '../verb/list.ts';
import { flag, number, text } from '../verb/parameters.ts';
import { assigneeNames } from '../verb/people.ts';
import { calling } from '../verb/verb.ts';
import { conversation } from './kinds.ts';

/** The number of messages that people see by default. */
const defaultMessages = 20;
/** `comments list` shows all comments. */
const maxComments = 20;
/** The number of changes that people see by default. */
const defaultChanges = 30;

const messages = listIn('messages.list', 'messages');

/** The thread of one conversation. */
export const showConversation = calling(['messages.list', 'comments.list', 'conversations.read'], {
  about: 'show a conversation: the issues linked to it, and its latest messages and comments, oldest first',
  params: {
    conversation: conversation.key,
    limit: number('maximum number of messages; 0 for all', 0),
    before: text('only messages before this cursor, which an earlier call printed', 'cursor'),
    read: flag("mark the visitor's messages as read, up to the newest one shown"),
  },
  output: 'rows',
  fields: messages.fields,
  web: { page: 'conversations', search: ({ conversation }) => ({ id: String(conversation) }) },
  examples: [
    'backoffice conversations show conv_1769851800000_k3x9a2b --read',
    'backoffice conversations show conv_1769851800000_k3x9a2b --json sender_type,content',
  ],
  async run({ given: { conversation: id, limit, before, read }, format, access }) {
    const wanted = limit ?? (isForPeople(format) ? defaultMessages : 0);
    const include = 'assignee,labels,channel,delivery';
    const thread = await readThread(access, id, wanted, { before, include });
    await emit(thread, format, messages, async () => {
      const { renderThread } = await import('../terminal/thread.ts');
      print(renderThread(thread, outputWidth()));
      await printComments(access, id);
      if (thread.nextCursor !== null)
        remark(
          `\nThere are older messages. Use --limit 0 to show all, or --before ${thread.nextCursor} to show the previous ones.`,
        );
    });
    if (!read || thread.messages.length === 0) return;
    const newest = Math.max(...thread.messages.map(({ id }) => id));
    const { read: marked } = await access.call('conversations.read', { id, up_to: newest });
    remark(`\nMarked ${counted(marked, 'message')} as read.`);
  },
});

/** Prints the latest comments, which the visitor does not see. */
async function printComments(access: Access, conversation_id: string): Promise<void> {
  const { comments } = await access.call('comments.list', { conversation_id, limit: maxComments });
  if (comments.length === 0) return;
  const { renderComments } = await import('../terminal/thread.ts');
  const heading = paint('bold')('Comments, which the visitor does not see');
  print(`\n${heading}\n${renderComments(comments, outputWidth())}`);
}

type Entry = OutputOf<'conversations.history'>['history'][number];

const columns = columnsOf<Entry>(history, [
  ...(['change_id', 'field', 'before'] as const),
  {
    heading: 'after',
    value: ({ after, messages }) =>
      messages === null ? (after ?? '') : `${after} (${counted(messages, 'message')})`,
    exact: ({ after }) => after ?? '',
    cut: true,
  },
  ...([['actor', 2], ['door', 1], 'at'] as const),
]);

/** The changes of one conversation. */
export const conversationHistory = table(['conversations.history', 'messages.list'], {
  about: 'list the changes of a conversation, newest first',
  params: { conversation: conversation.key, limit: number('maximum number; 0 for all', 0) },
  rows: listIn('conversations.history', 'history', 'change_id'),
  columns,
  web: { page: 'conversations', search: ({ conversation }) => ({ id: String(conversation) }) },
  examples: ['backoffice conversations history conv_1769851800000_k3x9a2b'],
  async read({ given: { conversation: id, limit }, format, access }) {
    await readThread(access, id, 1);
    const wanted = limit ?? defaultRows(format, defaultChanges);
    const { pages, nextCursor } = await readPages(wanted, undefined, async (size, cursor) => {
      const page = await access.call('conversations.history', { id, limit: size, cursor });
      return { rows: page.history, nextCursor: page.nextCursor };
    });
    const entries = pages.flat();
    const history = isForPeople(format) ? await assigneeNames(access)(entries) : entries;
    const which = counted(history.length, 'change');
    return {
      document: { history, nextCursor },
      none: 'No changes.',
      below: nextCursor === null ? undefined : `Showing the newest ${which}. Use --limit 0 to show all.`,
    };
  },
});
