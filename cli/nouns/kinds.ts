import { maxDeletedRows } from '../../src/contract/fields/bounds.ts';
import { comments } from '../../src/contract/fields/comments.ts';
import { conversations } from '../../src/contract/fields/conversations.ts';
import { invitations } from '../../src/contract/fields/invitations.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import { labels } from '../../src/contract/fields/labels.ts';
import { savedReplies } from '../../src/contract/fields/saved-replies.ts';
import { tokens } from '../../src/contract/fields/tokens.ts';
import { webhooks } from '../../src/contract/fields/webhooks.ts';
import type { InputOf, OutputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { type Rows, readThread } from '../access/pages.ts';
import { NotFoundError } from '../errors.ts';
import { conversationIds, issueIds, issueNumber } from '../input/arguments.ts';
import { counted, printable } from '../terminal/text.ts';
import type { ManyRows } from '../verb/many-rows.ts';
import { argument, text } from '../verb/parameters.ts';
import { numbered, numberOf, rowKind } from '../verb/rows.ts';

// The rows that commands name one by one. Completion reads them too, so this file has no verbs.

/** More rows are of no use at a prompt. */
const maxOffered = 100;

export type Issue = Rows['issues.list'];

export const issue = numbered({
  noun: issues,
  key: { ...numberOf(issues, 'issues'), parse: issueNumber },
  async read(access: Access, id?: number, include?: string) {
    const found = await access.call('issues.list', { id, limit: id === undefined ? maxOffered : 1, include });
    return 'issues' in found ? found.issues : [];
  },
  about: ({ title }) => title,
});

export const manyIssues: ManyRows<number, InputOf<'issues.update'>['set']> = {
  noun: issues,
  ids: issueIds,
  idsName: 'numbers',
  anyChange: { status: 'Closed' },
  updatesByFilter: true,
  deletesAtOnce: maxDeletedRows,
  update: (access, input) => access.call('issues.update', input),
  remove: async (access, ids) => (await access.call('issues.delete', { id: ids.join(',') })).deleted,
  lineOf: ({ id, title, severity, status }: Issue) => `${id}  ${title} (${severity}, ${status})`,
};

export const savedReply = rowKind({
  noun: savedReplies,
  key: argument(text('the shortcut of the saved reply', 'shortcut', 'saved replies')),
  read: async (access: Access) => (await access.call('savedReplies.list')).saved_replies,
  isNamed: ({ shortcut }, wanted) => shortcut.toLowerCase() === wanted.toLowerCase(),
  candidate: ({ shortcut, title }) => ({ value: shortcut, description: title }),
});

export type Webhook = OutputOf<'webhooks.list'>['webhooks'][number];

export const webhook = numbered({
  noun: webhooks,
  key: numberOf(webhooks, 'webhooks'),
  read: async (access: Access) => (await access.call('webhooks.list')).webhooks,
  about: ({ url }) => url,
});

export const conversation = rowKind({
  noun: conversations,
  key: argument(text('the ID of the conversation', 'conversation', 'conversations')),
  async read(access: Access, id?: string) {
    if (id !== undefined) return [(await readThread(access, id, 1)).conversation];
    return (await access.call('conversations.list', { limit: maxOffered })).conversations;
  },
  candidate: ({ id, visitor_name, subject }) => ({
    value: id,
    description: subject === '' ? visitor_name : `${visitor_name}: ${subject}`,
  }),
});

export const manyConversations: ManyRows<string, InputOf<'conversations.update'>['set']> = {
  noun: conversations,
  ids: conversationIds,
  idsName: 'IDs',
  anyChange: { read: true },
  updatesByFilter: false,
  deletesAtOnce: 1,
  update: (access, { ids = [], set, dry_run }) => access.call('conversations.update', { ids, set, dry_run }),
  async remove(access, ids) {
    for (const id of ids) await access.call('conversations.delete', { id });
    return ids.length;
  },
  async nameOf(access, id) {
    const { visitor_name } = (await readThread(access, id, 1)).conversation;
    return printable(`the conversation ${id} with ${visitor_name}`);
  },
  lineOf: ({ id, visitor_name, subject, status }: Rows['conversations.list']) =>
    `${id}  ${visitor_name}: ${subject === '' ? '(no subject)' : subject} (${status})`,
};

export const comment = numbered({
  noun: comments,
  key: numberOf(comments, 'comments'),
  async read(access: Access, id?: number) {
    if (id === undefined) return await newestComments(access);
    const { comments: found } = await access.call('comments.list', { id });
    if (found.length === 0)
      throw new NotFoundError(
        `No comment ${id}. Run \`backoffice comments list --issue <number>\` to see those on an issue.`,
      );
    return found.map(({ id, author, content }) => ({
      id,
      content,
      author: author?.email ?? author?.username ?? 'somebody',
    }));
  },
  about: ({ author, content }) => `${author}: ${content}`,
});

/** Reads the newest comments on anything, which only the events have. */
async function newestComments(access: Access) {
  const types = 'comment.created,comment.deleted';
  const { events } = await access.call('events.list', { types, limit: maxOffered });
  const isDeleted = (id: string | null) =>
    events.some(({ type, subject_id }) => type === 'comment.deleted' && subject_id === id);
  return events.flatMap(({ type, subject_id: id, actor: author, data }) =>
    type === 'comment.created' && !isDeleted(id) ? [{ id: Number(id), author, content: data.content }] : [],
  );
}

const plain = (name: string) => name.trim().toLowerCase();

export const label = rowKind({
  noun: labels,
  key: argument(text('the label, in upper or lower case', 'label', 'labels')),
  async read(access: Access, name?: string) {
    const { labels: found } = await access.call('labels.list', { q: name });
    // Two may look the same, and then the one that was typed is meant.
    const typed = found.filter((each) => name !== undefined && plain(each.name) === plain(name));
    return typed.length > 0 ? typed : found;
  },
  isNamed: ({ name }, wanted) => plain(name).normalize() === plain(wanted).normalize(),
  candidate: (row) => ({ value: row.name, description: rowsOfLabel(row) }),
});

/** Returns how many rows have a label, for people. */
export const rowsOfLabel = (of: { readonly issues: number; readonly conversations: number }) =>
  `${counted(of.issues, 'issue')} and ${counted(of.conversations, 'conversation')}`;

/** Returns the severities or the categories that issues have. */
export async function wordsInUse(
  access: Access,
  which: 'severities' | 'categories',
): Promise<readonly string[]> {
  const found = await access.call('issues.list', { period: 'all' });
  if (!('categoryCounts' in found)) return [];
  return which === 'severities'
    ? found.severityTotals.map(({ severity }) => severity)
    : found.categoryCounts.map(({ category }) => category);
}

export const invitation = rowKind({
  noun: invitations,
  key: argument(text('the e-mail or ID of the invitation', 'invitation', 'invitations')),
  async read(access: Access, wanted?: string) {
    const { invitations: all } = await access.call('invitations.list');
    if (wanted === undefined) return all;
    // Imported on demand, because it would slow down `--help`.
    const { storedEmail } = await import('../../src/contract/schemas/stored-email.ts');
    return all.filter(({ id, email }) => email === storedEmail(wanted) || String(id) === wanted);
  },
  candidate: ({ email, role }) => ({ value: email, description: role }),
});

export const token = numbered({
  noun: tokens,
  key: numberOf(tokens, 'tokens'),
  read: async (access: Access) => (await access.call('tokens.list')).tokens,
  about: ({ name, state }) => (state === 'valid' ? name : `${name}, ${state}`),
});
