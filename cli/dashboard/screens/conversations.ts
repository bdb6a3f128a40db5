import { stripVTControlCharacters } from 'node:util';
import { conversations as noun } from '../../../src/contract/fields/conversations.ts';
import { pages } from '../../../src/contract/pages.ts';
import { readThread } from '../../access/pages.ts';
import { counted, printable } from '../../terminal/text.ts';
import { renderThread } from '../../terminal/thread.ts';
import type { App } from '../app/app.ts';
import { callingOnce } from '../app/calling-once.ts';
import { keyHint } from '../app/keys.ts';
import { action, type Part, type Screen } from '../app/types.ts';
import { openForm } from '../dialogs/form.ts';
import { noneYet } from '../draw/describe.ts';
import { threadLook } from '../draw/style.ts';
import { following } from '../list/following.ts';
import { listScreen, rowAction } from '../list/list-screen.ts';
import type { Rows } from '../list/rows.ts';
import { cursorRows } from '../list/sources.ts';
import { asking } from '../parts/asking.ts';
import { type Changes, changing } from '../parts/changing.ts';
import { commenting } from '../parts/commenting.ts';
import { copying } from '../parts/copying.ts';
import { deleting } from '../parts/deleting.ts';
import { history } from '../parts/history.ts';
import { linking } from '../parts/linking.ts';
import { openReport } from '../parts/reporting.ts';
import { selecting } from '../parts/selecting.ts';
import { assigning, labelling, words } from '../parts/setting.ts';
import { drafting } from './conversations/drafts.ts';
import { replying } from './conversations/replying.ts';
import {
  type Conversation,
  columns,
  hidden,
  include,
  isUnread,
  nameOf,
  toRow,
} from './conversations/rows.ts';
import { type Thread, threadPart } from './conversations/thread.ts';

/** The latest messages that are copied as text. */
const maxCopied = 200;

export function conversationsScreen(app: App): Screen {
  const listed = cursorRows(app, 'conversations.list', { include }, toRow, '-updated_at');
  const keyHints = (...hints: readonly (readonly [id: string, does: string])[]) => {
    const parts = hints.map(([id, does]) => keyHint(app, `conversations.${id}`, does)).filter(Boolean);
    return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
  };
  const thread = threadPart(app, listed.current, {
    draft: () => keyHints(['approve', 'sends'], ['revise', 'edits'], ['reject', 'rejects']),
    failed: () => keyHints(['resend', 'sends the e-mail again']),
  });
  /** Who reads a conversation means that one, also if it has left the list. */
  const rows: Rows<Conversation> = {
    ...listed,
    current: () => (thread.isOpen() ? thread.conversation() : listed.current()),
    remove(keys) {
      const gone = [...keys];
      listed.remove(gone);
      if (gone.includes(thread.conversation()?.id ?? '')) thread.close();
    },
  };
  const selected = selecting(app, listed, 'conversation', ['*']);
  const selection: typeof selected = {
    ...selected,
    targets() {
      const row = thread.conversation();
      if (!thread.isOpen()) return selected.targets();
      return { kind: 'rows', rows: row === undefined ? [] : [row] };
    },
  };
  const changes = changing(app, listed, selection, {
    operation: 'conversations.update',
    one: 'conversation',
    nameOf,
    matching: (filter) => allThatMatch(app, filter),
  });
  const asked = asking(app, listed, {
    noun,
    columns,
    hidden,
    views: {
      list: 'conversations',
      builtIn: { All: '', Unresolved: 'status:open,pending' },
    },
  });
  const replies = replying(app, rows, thread);
  const drafts = drafting(app, rows, thread);

  const screen = listScreen<Conversation>(
    {
      id: 'conversations',
      title: 'Conversations',
      isSelected: selection.has,
      // The thread beside the list shows the last message.
      columns: () => asked.columns().filter(({ field }) => !thread.isOpen() || field !== 'last_message'),
      isDone: ({ status, unread_count }) =>
        unread_count === 0 && (status === 'resolved' || status === 'closed'),
      empty: () =>
        listed.asked().text === ''
          ? noneYet(app, 'No conversations yet.', 'conversations.create', 'starts one.')
          : 'No conversation matches.',
      async find(text) {
        const { conversations } = await app.call('conversations.list', {
          q: text.replace(/^conversations? /, ''),
          limit: 5,
        });
        return conversations.map(({ id, visitor_name, subject }) => ({
          title: printable(`${visitor_name}: ${subject || 'no subject'}`),
          run: () => app.visit('conversations', id),
        }));
      },
      reveal(id) {
        thread.open(String(id), undefined, true);
        return listed.reveal(id);
      },
    },
    listed,
    [
      changes,
      thread,
      selection,
      asked,
      replies,
      drafts,
      marking(app, thread, changes),
      following(app, listed, noun, /^(message|link|comment|label)\.|^issues\.deleted$/),
      words(app, changes, noun, { status: 's' }),
      assigning(app, changes),
      labelling(app, changes),
      commenting(app, rows, ({ id }) => ({ conversation_id: id }), nameOf),
      history(app, rows, noun, nameOf),
      linking(app, rows, async ({ id }) =>
        (await app.call('messages.list', { conversation_id: id, limit: 1 })).issues.map((issue) => ({
          title: printable(`#${issue.id} ${issue.title}`),
          screen: 'issues',
          key: issue.id,
        })),
      ),
      copying(app, rows, {
        path: ({ id }) => `${pages.conversations.path}?id=${encodeURIComponent(id)}`,
        async whole({ id }) {
          const found = await readThread(app, id, maxCopied, { include });
          return stripVTControlCharacters(renderThread(found, Number.POSITIVE_INFINITY, threadLook()));
        },
      }),
      starting(app, rows),
      deleting(app, rows, changes, {
        calls: 'conversations.delete',
        title: 'Delete conversations',
        including: 'with all messages',
        atOnce: 1,
        async remove(ids) {
          for (const id of ids) await app.call('conversations.delete', { id: String(id) });
          await replies.orphan(ids);
        },
      }),
    ],
  );
  asked.openView();
  return {
    ...screen,
    // Keys of the list do nothing while somebody reads.
    actions: () => screen.actions().filter(({ id }) => !(thread.isOpen() && id.startsWith('list.'))),
  };
}

/** Finds all that match a filter: conversations are changed by their ids. */
async function allThatMatch(app: App, filter: Readonly<Record<string, string>>) {
  const found: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const input = { ...filter, include, limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await app.call('conversations.list', input as { limit: number });
    found.push(...page.conversations.map(toRow));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** Marks messages as read or unread. Who reads a thread marks only what was on the screen. */
function marking(app: App, thread: Thread, changes: Changes<Conversation>): Part {
  const done = (sentence: string) => {
    app.say(sentence);
    thread.changed();
  };
  const readShown = async (id: string) => {
    const up_to = thread.seen();
    if (up_to === undefined) return app.say('The messages are not loaded yet.', 'note');
    const left = (thread.messagesOf(id) ?? []).filter((each) => isUnread(each) && each.id > up_to).length;
    const { read } = await app.call('conversations.read', { id, up_to });
    const rest = left > 0 ? ` ${counted(left, 'message')} below ${left === 1 ? 'is' : 'are'} unread.` : '';
    done(`${read === 0 ? 'No unread messages here.' : `Marked ${counted(read, 'message')} as read.`}${rest}`);
  };
  const read = changes.on((targets) => {
    const row = thread.conversation();
    if (row !== undefined) return readShown(row.id);
    return changes.change(targets, {
      what: 'marked as read',
      set: { read: true },
      apply: (each) => ({ ...each, unread_count: 0 }),
    });
  });
  const unread = changes.on(async (targets) => {
    const [row, another] = targets.kind === 'rows' ? targets.rows : [];
    if (row === undefined || another !== undefined)
      return app.say('Messages of one conversation at a time can be marked as unread.', 'note');
    const { unread } = await app.call('conversations.unread', { id: row.id });
    done(unread === 0 ? 'No message to mark.' : 'Marked the newest message as unread.');
  });
  return {
    actions: [
      action(
        'conversations.markRead',
        'm',
        { title: 'Mark the messages as read', hint: 'mark read', calls: 'conversations.read' },
        read,
      ),
      action(
        'conversations.markUnread',
        'M',
        { title: 'Mark the newest message as unread', calls: 'conversations.unread' },
        unread,
      ),
    ],
  };
}

/** Starts conversations, and reports issues from them. */
function starting(app: App, rows: Rows<Conversation>): Part {
  const { visitor_name, visitor_email, subject } = noun.fields;
  const create = () => {
    const start = callingOnce(app, 'conversations.create', 'started');
    openForm(app, {
      name: 'new conversation',
      title: 'New conversation',
      verb: 'start',
      fields: [
        { name: 'visitor_name', label: visitor_name.label, kind: 'line', placeholder: visitor_name.example },
        {
          name: 'visitor_email',
          label: visitor_email.label,
          kind: 'line',
          placeholder: visitor_email.example,
        },
        { name: 'subject', label: subject.label, kind: 'line' },
        { name: 'initial_message', label: 'First message', kind: 'text' },
      ],
      save: ({ visitor_name = '', visitor_email = '', ...others }) =>
        start({ visitor_name, visitor_email, ...others }),
      saved({ conversation: { id } }: { readonly conversation: { readonly id: string } }) {
        app.bell.created(id);
        app.say('Started the conversation.');
        return rows.reveal(id);
      },
    });
  };
  const report = ({ id, subject, visitor_name }: Conversation) =>
    openReport(app, {
      name: `new issue from ${id}`,
      initial: { title: subject || `From ${visitor_name}` },
      source: { conversation_id: id },
      reported: () => app.refresh(),
    });
  return {
    actions: [
      action(
        'conversations.create',
        'n',
        { title: 'Start a conversation', hint: 'new', calls: 'conversations.create' },
        create,
      ),
      rowAction(app, rows)(
        'conversations.issue',
        'i',
        { title: 'Report an issue from it', calls: 'issues.create' },
        report,
      ),
    ],
  };
}
