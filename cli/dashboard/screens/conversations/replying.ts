import type { OutputOf } from '../../../../src/contract/registry.ts';
import {
  fillPlaceholders,
  findSavedReplies,
  placeholders,
  unknownPlaceholders,
} from '../../../../src/contract/saved-reply-text.ts';
import { printable } from '../../../terminal/text.ts';
import type { App } from '../../app/app.ts';
import { callingOnce } from '../../app/calling-once.ts';
import { type Action, action, type Part } from '../../app/types.ts';
import { type Form, openForm } from '../../dialogs/form.ts';
import { openMenu } from '../../dialogs/menu.ts';
import { rowAction } from '../../list/list-screen.ts';
import type { Key, Rows } from '../../list/rows.ts';
import { type Conversation, nameOf } from './rows.ts';
import type { Thread } from './thread.ts';

type SavedReply = OutputOf<'savedReplies.list'>['saved_replies'][number];

export interface Replying extends Part {
  /** Conversations are gone: their replies can never be sent, and are kept in files. */
  orphan(ids: Iterable<Key>): Promise<void>;
}

/** Writes replies: one text for each conversation, which is kept until it is sent. */
export function replying(
  app: App,
  rows: Rows<Conversation>,
  thread: Pick<Thread, 'open' | 'changed'>,
): Replying {
  const on = rowAction(app, rows);
  const known = new Map<string, { readonly name: string; readonly row: Conversation; readonly form: Form }>();
  const open = (row: Conversation): Form => {
    const { id, visitor_name } = row;
    const name = `reply to ${visitor_name} (${id})`;
    const send = callingOnce(app, 'messages.create', 'sent');
    // Who answers sees what is answered.
    thread.open(id, row);
    const form = openForm(app, {
      name,
      title: `Reply to ${printable(visitor_name)}`,
      verb: 'send',
      fields: [{ name: 'content', label: 'Reply', kind: 'text' }],
      async save({ content = '' }) {
        if (content.trim() === '') throw new Error('The reply is empty.');
        return await send({ conversation_id: id, content });
      },
      saved() {
        known.delete(id);
        app.say(`Sent to ${visitor_name}.`);
        thread.changed(true);
      },
      actions: (write) => [savedReplies(app, row, write)],
    });
    known.set(id, { name, row, form });
    return form;
  };
  const unsent = () => [...known.values()].filter(({ name }) => app.drafts.has(name));
  const orphan = async (ids: Iterable<Key>) => {
    const gone = new Set(ids);
    for (const { name, row, form } of unsent()) {
      if (!gone.has(row.id)) continue;
      known.delete(row.id);
      const file = await app.host.keep({ title: `reply to ${row.visitor_name}`, text: form.written() });
      app.drafts.drop(name);
      app.close(form);
      // It stays until a key is pressed.
      app.say(`Somebody deleted ${nameOf(row)}. Your unsent reply is in ${file}.`, 'failed');
    }
  };
  return {
    orphan,
    actions: [
      on(
        'conversations.reply',
        'r',
        { title: 'Write a reply', hint: 'reply', calls: 'messages.create' },
        open,
      ),
      on(
        'conversations.editor',
        'E',
        { title: 'Write a reply in your editor', calls: 'messages.create' },
        (row) => open(row).compose(),
      ),
    ],
    inDialogs: [savedReplies(app, { id: '', visitor_name: '' }, () => {})],
    onEvents(events) {
      const deleted = events.flatMap(({ type, subject_id }) =>
        type === 'conversation.deleted' && subject_id !== null ? [subject_id] : [],
      );
      if (deleted.length > 0) void app.attempt(() => orphan(deleted));
    },
    /** Finds replies whose conversations were deleted without an event, as by SQL. */
    async refresh() {
      for (const { row } of unsent()) {
        const { conversation } = await app.call('messages.list', { conversation_id: row.id, limit: 1 });
        if (conversation === null) await orphan([row.id]);
      }
    },
  };
}

/** Returns the action that inserts a saved reply at the cursor, with its placeholders filled in. */
function savedReplies(
  app: App,
  { id, visitor_name }: Pick<Conversation, 'id' | 'visitor_name'>,
  write: (text: string) => void,
): Action {
  let replies: readonly SavedReply[] | undefined;
  const find = async (text: string) => {
    replies ??= (await app.call('savedReplies.list', {})).saved_replies;
    return findSavedReplies(replies, text);
  };
  const take = async ({ content }: SavedReply) => {
    const { admin } = await app.call('session.show');
    const sender = admin === null ? {} : { admin_name: admin.username };
    const text = fillPlaceholders(content, { visitor_name, conversation_id: id, ...sender });
    write(text);
    const written = placeholders.map((name) => `{{${name}}}`).filter((each) => text.includes(each));
    const [left] = [...written, ...unknownPlaceholders(text)];
    if (left !== undefined) app.say(`${left} is not filled in.`, 'note');
  };
  return action('reply.saved', 'ctrl+t', { title: 'Insert a saved reply', hint: 'saved replies' }, () =>
    openMenu<SavedReply>(app, {
      title: 'Saved replies',
      placeholder: 'a shortcut, or words of the title or the text',
      find,
      text: ({ shortcut, title, content }) =>
        printable(`/${shortcut}  ${title}: ${content.replaceAll('\n', ' ')}`),
      take,
      empty: 'No saved reply matches.',
    }),
  );
}
