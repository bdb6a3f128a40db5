import { conversations as noun } from '../../src/contract/fields/conversations.ts';
import { readThread } from '../access/pages.ts';
import { UsageError } from '../errors.ts';
import { recomputeOf } from '../operate/recompute.ts';
import { counted, printable } from '../terminal/text.ts';
import { bulk, onlyOf, removeMany } from '../verb/bulk.ts';
import { change, emitDone } from '../verb/change.ts';
import { pages } from '../verb/list.ts';
import { flag, last, longText, option, required, text } from '../verb/parameters.ts';
import { assignmentOf, toAssigneeId } from '../verb/people.ts';
import { verbs } from '../verb/verb.ts';
import { draft } from './conversation-drafts.ts';
import { receive, reply, resend } from './conversation-messages.ts';
import { conversationHistory, showConversation } from './conversation-page.ts';
import { conversation, manyConversations } from './kinds.ts';

const { subject, status, assignee_id, labels } = noun.fields;

/** Messages from visitors. */
export const conversations = verbs('backoffice conversations list --unread', {
  list: pages('conversations.list', 'conversations', {
    about: 'list conversations, most recently updated first',
    of: noun,
    search: "only if the ID, the visitor's name or e-mail, the subject or a label contains these words",
    columns: [
      'id',
      {
        heading: 'new',
        field: 'unread_count',
        value: ({ unread_count }) => (unread_count === 0 ? '' : String(unread_count)),
        tone: () => 'alarm',
        align: 'right',
      },
      { heading: 'visitor', field: 'visitor_name', value: ({ visitor_name }) => visitor_name, cut: true },
      {
        heading: 'email',
        field: 'visitor_email',
        cut: true,
        dropAs: 3,
        value: ({ visitor_email }) => visitor_email,
      },
      'subject',
      ['last_message', 4],
      ['status', 1],
      ['updated_at', 2],
    ],
    web: {
      page: 'conversations',
      takes: ['status', 'unread', 'assignee', 'label', ['search', 'q']],
    },
    examples: [
      'backoffice conversations list --unread --since 2d',
      'backoffice conversations list --assignee none --status open',
    ],
  }),

  show: showConversation,
  reply,
  resend,
  draft: { about: 'propose, edit, approve or reject the draft of a reply', ...draft },

  read: {
    ...bulk({
      about: "mark visitors' messages as read",
      of: manyConversations,
      params: {},
      async instead(ids, _given, call) {
        const { format, access } = call;
        const id = onlyOf(ids, call);
        if (id === undefined) return false;
        await readThread(access, id, 1);
        const done = await access.call('conversations.read', { id });
        await emitDone(done, format, `Marked ${counted(done.read, 'message')} as read.`);
        return true;
      },
      set: () => ({ read: true }) as const,
      ask: (rows) => `Mark ${rows} as read?`,
      examples: [
        'backoffice conversations read conv_1769851800000_k3x9a2b',
        "backoffice conversations read --filter 'is:unread older:30d'",
      ],
    }),
    operations: ['conversations.read', 'conversations.update'],
  },

  unread: change('conversations.unread', {
    about: "mark a visitor's newest message as unread again",
    of: conversation,
    input: (_given, { id }) => ({ id }),
    done: ({ unread }) => `Marked ${counted(unread, 'message')} as unread.`,
    examples: ['backoffice conversations unread conv_1769851800000_k3x9a2b'],
  }),

  'set-status': bulk({
    about: 'change the status of conversations',
    of: manyConversations,
    params: { status: last(option(status)) },
    set: ({ status }) => ({ status }),
    ask: (rows, { status }) => `Set ${rows} to ${status}?`,
    done: (id, { status }) => `Conversation ${printable(id)} is ${status}.`,
    examples: [
      'backoffice conversations set-status conv_1769851800000_k3x9a2b resolved',
      "backoffice conversations set-status closed --filter 'status:resolved older:90d'",
    ],
  }),

  assign: bulk({
    about: 'assign conversations to an admin',
    of: manyConversations,
    params: { to: required(option(assignee_id, 'the admin')) },
    set: async ({ to }, access) => ({ assignee_id: await toAssigneeId(access, to) }),
    ask: (rows, { to }) => `${assignmentOf(rows, to)}?`,
    examples: [
      'backoffice conversations assign conv_1769851800000_k3x9a2b --to ada@example.com',
      "backoffice conversations assign --filter 'status:open assignee:none' --to me",
    ],
  }),

  update: bulk({
    about: 'change the status or labels of conversations, assign them, or mark them as read',
    of: manyConversations,
    params: {
      addLabel: option(labels, 'add this label'),
      removeLabel: option(labels, 'remove this label'),
      status: option(status),
      assignee: option(assignee_id),
      read: flag("mark the visitors' messages as read"),
    },
    async instead(_ids, changed) {
      if (Object.values(changed).some((value) => value !== undefined)) return false;
      throw new UsageError(
        'Say what to change: --status, --assignee, --add-label, --remove-label, or --read.',
      );
    },
    async set({ assignee, addLabel: add_labels, removeLabel: remove_labels, ...others }, access) {
      const assignee_id = assignee === undefined ? undefined : await toAssigneeId(access, assignee);
      return { ...others, assignee_id, add_labels, remove_labels };
    },
    ask: (rows) => `Change ${rows}?`,
    examples: [
      'backoffice conversations update conv_1769851800000_k3x9a2b --status resolved --read',
      "backoffice conversations update --filter 'is:unread older:90d' --status closed --read --dry-run",
    ],
  }),

  create: change('conversations.create', {
    about: 'start a conversation with a visitor',
    params: {
      email: required(text("the visitor's e-mail", 'email')),
      name: required(text("the visitor's name", 'name')),
      subject: option(subject, 'the subject'),
      message: longText("the visitor's first message"),
    },
    input: ({ email: visitor_email, name: visitor_name, subject, message: initial_message }) => ({
      visitor_email,
      visitor_name,
      subject,
      initial_message,
    }),
    done: ({ conversation: { id } }) => `Started conversation ${id}.`,
    examples: [
      'backoffice conversations create --email ada@example.com --name "Ada Byron" --message "Hello?"',
    ],
  }),

  receive,

  delete: removeMany({
    about: 'delete conversations and all their messages; this cannot be undone',
    of: manyConversations,
    ask: (rows, count) => `Delete ${rows} and all ${count === 1 ? 'its' : 'their'} messages?`,
    examples: [
      'backoffice conversations delete conv_1769851800000_k3x9a2b --dry-run',
      "backoffice conversations delete --filter 'status:closed older:2y'",
    ],
  }),

  history: conversationHistory,

  recompute: recomputeOf('conversations'),
});
