import { invitations } from '../../src/contract/fields/invitations.ts';
import { issues } from '../../src/contract/fields/issues.ts';
import { savedReplies } from '../../src/contract/fields/saved-replies.ts';
import { tokens } from '../../src/contract/fields/tokens.ts';
import { webhooks } from '../../src/contract/fields/webhooks.ts';
import type { InputOf, OutputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import type { Rows } from '../access/pages.ts';
import { matchingIds } from '../bulk/matching-ids.ts';
import { issueIds, issueNumber } from '../input/ids.ts';
import type { ManyRows } from '../verb/bulk.ts';
import { argument, number, text } from '../verb/parameters.ts';
import { rowKind } from '../verb/rows.ts';

// The rows that commands name one by one. Completion reads them too, so this file has no verbs.

/** More rows are of no use at a prompt. */
const maxOffered = 100;

export type Issue = Rows['issues.list'];

export const issue = rowKind({
  noun: issues,
  key: {
    ...argument(number('the number of the issue', 1)),
    term: 'issue',
    source: 'issues',
    parse: issueNumber,
  },
  async read(access: Access, id?: number, include?: string) {
    const found = await access.call('issues.list', { id, limit: id === undefined ? maxOffered : 1, include });
    return 'issues' in found ? found.issues : [];
  },
  isNamed: ({ id }, wanted) => id === wanted,
  candidate: ({ id, title }) => ({ value: String(id), description: title }),
});

type Update = InputOf<'issues.update'>;

export const manyIssues: ManyRows<number, Update['set']> = {
  noun: issues,
  ids: issueIds,
  idsName: 'numbers',
  source: 'issues',
  operations: { update: 'issues.update', remove: 'issues.delete' },
  anyChange: { status: 'Closed' },
  updatesByFilter: true,
  deletesAtOnce: 1_000,
  update: (access, input) => access.call('issues.update', input),
  remove: async (access, ids) => (await access.call('issues.delete', { id: ids.join(',') })).deleted,
  matching: (access, filter) =>
    matchingIds(access, { operation: 'issues.list', name: 'issues' }, filter, ({ id }) => id),
  async preview(access, filter, limit) {
    const found = await access.call('issues.list', { ...filter, limit });
    const rows = 'issues' in found ? found.issues : [];
    return rows.map(({ id, title, severity, status }) => `${id}  ${title} (${severity}, ${status})`);
  },
};

export const savedReply = rowKind({
  noun: savedReplies,
  key: { ...argument(text('the shortcut of the saved reply', 'shortcut')), source: 'saved replies' },
  read: async (access: Access) => (await access.call('savedReplies.list')).saved_replies,
  isNamed: ({ shortcut }, wanted) => shortcut.toLowerCase() === wanted.toLowerCase(),
  candidate: ({ shortcut, title }) => ({ value: shortcut, description: title }),
});

export type Webhook = OutputOf<'webhooks.list'>['webhooks'][number];

export const webhook = rowKind({
  noun: webhooks,
  key: { ...argument(number('the number of the webhook', 1)), term: 'webhook', source: 'webhooks' },
  read: async (access: Access) => (await access.call('webhooks.list')).webhooks,
  isNamed: ({ id }, wanted) => id === wanted,
  candidate: ({ id, url }) => ({ value: String(id), description: url }),
});

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
  key: { ...argument(text('the e-mail or ID of the invitation', 'invitation')), source: 'invitations' },
  read: async (access: Access) => (await access.call('invitations.list')).invitations,
  isNamed: ({ id, email }, wanted) => email === wanted || String(id) === wanted,
  candidate: ({ email, role }) => ({ value: email, description: role }),
});

export const token = rowKind({
  noun: tokens,
  key: { ...argument(number('the number of the token', 1)), term: 'token', source: 'tokens' },
  read: async (access: Access) => (await access.call('tokens.list')).tokens,
  isNamed: ({ id }, wanted) => id === wanted,
  candidate: ({ id, name, state }) => ({
    value: String(id),
    description: state === 'valid' ? name : `${name}, ${state}`,
  }),
});
