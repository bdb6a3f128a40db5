import { describe, expect, test } from 'vitest';
import { checkIssueCounters } from '../../../src/db/analytics/issue-counters.ts';
import { maxPoolConnections } from '../../../src/db/connection/database.ts';
import { apiOfRole } from '../../support/here/accounts.ts';
import {
  type ApiResponse,
  apiAs,
  atOnce,
  bulkAnswer,
  errorResponse,
  postWithKey,
} from '../../support/here/requests.ts';
import {
  auditRecordsOf,
  createConversation,
  createIssues,
  historyOf,
  statusesOf,
  threadOf,
} from '../../support/here/rows.ts';
import { backofficeHere, startInstance } from '../../support/here.ts';
import { duringTransaction, untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

const undo = (change_id: unknown, api = backoffice.api) => api.post('/changes/undo', { change_id });
const changeOf = ({ body }: ApiResponse) => Number((body as { change_id: number }).change_id);
const undone = (restored: number, left: number) => ({
  status: 200,
  body: { success: true, restored, left, change_id: restored === 0 ? null : expect.any(Number) },
});

/** Changes the status of issues. Returns the id of the change. */
const setStatus = async (ids: number[], status: string) =>
  changeOf(await backoffice.api.patch('/issues', { ids, set: { status } }));
const close = (ids: number[]) => setStatus(ids, 'Closed');

describe('undoing a change of issues', () => {
  test('puts back what it set, and is a change that can be undone', async () => {
    const ids = await createIssues(backoffice, 3);
    await backoffice.api.patch('/issues', { ids: ids.slice(0, 1), set: { status: 'In Progress' } });
    const change = await close(ids);
    const answer = await undo(change);
    expect(answer).toEqual(undone(3, 0));
    expect(await statusesOf(backoffice, ids)).toEqual({ 'In Progress': 1, Open: 2 });

    const change_id = changeOf(answer);
    const [latest] = await historyOf(backoffice, ids[0] ?? 0);
    expect(latest).toMatchObject({ change_id, field: 'status', before: 'Closed', after: 'In Progress' });
    const events = `select type, data from events where (data ->> 'change_id')::bigint = $1`;
    expect(await backoffice.sql(events, [change_id])).toEqual([
      { type: 'issues.updated', data: { change_id, ids, count: 3, undoes: change } },
    ]);

    expect(await undo(change_id)).toEqual(undone(3, 0));
    expect(await statusesOf(backoffice, ids)).toEqual({ Closed: 3 });
    expect(await checkIssueCounters(backoffice.service.services.databases.primary)).toEqual([]);
  });

  test('leaves what a colleague has changed since, and what is deleted', async () => {
    const [kept = 0, changed = 0, back = 0, bySql = 0, deleted = 0] = await createIssues(backoffice, 5);
    const change = await close([kept, changed, back, bySql, deleted]);
    await backoffice.api.put('/issues', { id: changed, status: 'Resolved' });
    // A colleague has closed it again: that is no longer this change.
    await backoffice.api.put('/issues', { id: back, status: 'Open' });
    await backoffice.api.put('/issues', { id: back, status: 'Closed' });
    await backoffice.sql(`update issues set status = 'In Progress' where id = $1`, [bySql]);
    await backoffice.api.delete(`/issues?id=${deleted}`);
    expect(await undo(change)).toEqual(undone(1, 4));
    const statuses = await backoffice.sql('select status from issues where id = any($1) order by id', [
      [kept, changed, back, bySql],
    ]);
    expect(statuses.map(({ status }) => status)).toEqual(['Open', 'Resolved', 'Closed', 'In Progress']);
  });

  test('puts back each field by itself', async () => {
    const [id = 0] = await createIssues(backoffice, 1, 'Before');
    const { change_id } = await backoffice.superadmin.client.call('issues.update', {
      ids: [id],
      set: { title: 'After', severity: 'High', description: 'New' },
    });
    await backoffice.api.patch('/issues', { ids: [id], set: { severity: 'Critical' } });
    expect(await undo(change_id)).toEqual(undone(1, 1));
    expect(await backoffice.superadmin.client.call('issues.list', { id })).toMatchObject({
      issues: [{ title: 'Before', severity: 'Critical', description: '' }],
    });
  });

  test('goes further back, change by change, and leaves what somebody has changed between', async () => {
    const [id = 0] = await createIssues(backoffice, 1);
    // That of a single status is a change, too.
    await backoffice.api.put('/issues', { id, status: 'In Progress' });
    const first = (await historyOf(backoffice, id))[0]?.change_id;
    const second = await setStatus([id], 'Resolved');
    expect(await undo(first)).toEqual(undone(0, 1));
    await undo(changeOf(await undo(second)));
    expect(await statusesOf(backoffice, [id])).toEqual({ Resolved: 1 });
    expect(await undo(second)).toEqual(undone(1, 0));
    expect(await undo(first)).toEqual(undone(1, 0));
    expect(await statusesOf(backoffice, [id])).toEqual({ Open: 1 });
  });

  test('several times at once restores once', async () => {
    const ids = await createIssues(backoffice, 50);
    const change = await close(ids);
    const answers = await atOnce(6, () => undo(change));
    expect(answers.filter(({ body }) => (body as { restored: number }).restored === 50)).toHaveLength(1);
    expect(answers).toEqual(expect.arrayContaining([undone(50, 0), undone(0, 50)]));
    expect(await statusesOf(backoffice, ids)).toEqual({ Open: 50 });
  });
});

test('the author of a change may undo it for 24 hours, a superadmin any change at any time', async () => {
  const ids = await createIssues(backoffice, 1);
  const user = await apiOfRole(backoffice, 'user');
  const others = await apiOfRole(backoffice, 'admin');
  /** Closes the issue as the user, and lets the change have that age. */
  const closed = async (age: string) => {
    const id = changeOf(await user.patch('/issues', { ids, set: { status: 'Closed' } }));
    await backoffice.sql('update changes set created_at = now() - $2::interval where id = $1', [id, age]);
    return id;
  };
  const late = 'You can undo your own changes for 24 hours. Ask a superadmin to undo an older one.';
  const foreign = 'Only a superadmin can undo the change of another person.';
  const own = await closed('25 hours');
  expect(await undo(own, others)).toEqual(errorResponse(403, foreign));
  expect(await undo(own, user)).toEqual(errorResponse(403, late));
  expect(await undo(own)).toEqual(undone(1, 0));
  expect(await undo(await closed('23 hours'), user)).toEqual(undone(1, 0));
});

// A call with a key has a connection from its start. With all of them waiting for a turn, nobody could take one.
test('more undos with an Idempotency-Key than connections, beside bulk changes, all succeed', async () => {
  const { service, superadmin } = backoffice;
  const ids = await createIssues(backoffice, 101);
  const change_id = await close(ids);
  const undos = Array.from({ length: maxPoolConnections + 2 }, (_, index) =>
    postWithKey(service.url, superadmin, '/changes/undo', { change_id }, `undo ${index}`),
  );
  const others = [1, 2, 3, 4, 5, 6].map((index) =>
    backoffice.api.patch('/issues', { ids, set: { category: `Category ${index}` } }),
  );
  const answers = await Promise.all([...undos, ...others]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test('on a busy instance, a bulk change or an undo that would start too late is 503 with Retry-After, and changes nothing', async () => {
  const { superadmin } = backoffice;
  const limited = await startInstance(backoffice, {}, { limits: { bulk: { atOnce: 1, waitMs: 50 } } });
  const ids = await createIssues(backoffice, 101);
  const set = { status: 'Closed' };
  const api = apiAs(limited.url, superadmin);
  const change_id = changeOf(await api.patch('/issues', { ids, set: { severity: 'High' } }));

  const lock = 'select from issues where id = $1 for update';
  await duringTransaction(backoffice, [lock, [ids[0]]], async (client) => {
    const first = api.patch('/issues', { ids, set });
    await untilBlocked(backoffice);
    expect(await api.patch('/issues', { ids, set: { status: 'Resolved' } })).toMatchObject({ status: 503 });
    const late = await postWithKey(limited.url, superadmin, '/changes/undo', { change_id }, 'a');
    expect(late).toMatchObject({ status: 503, retryAfter: '5' });
    // Few rows need no turn.
    const few = { ids: ids.slice(1, 2), set: { status: 'Open' } };
    expect((await api.patch('/issues', few)).status).toBe(200);
    await client.query('rollback');
    expect(await first).toMatchObject({ status: 200, body: { changed: 101 } });
  });
  const undo = await postWithKey(limited.url, superadmin, '/changes/undo', { change_id }, 'a');
  expect(undo).toMatchObject({ status: 200, replayed: false });
});

const update = (body: unknown) => backoffice.api.patch('/conversations', body);

/** Returns the status of a conversation and of each of its messages. */
async function stateOf(id: string) {
  const { conversation, messages } = await threadOf(backoffice, id);
  return [conversation?.status, messages.map(({ status }) => status)];
}

test('sets the status and marks as read, as one event', async () => {
  const one = await createConversation(backoffice, 'Hello?', 'Anyone?');
  const two = await createConversation(backoffice);
  const ids = [two.id, one.id, 'conv_unknown', one.id];
  const set = { status: 'resolved', read: true };
  const counts = { matched: 2, unknown: ['conv_unknown'] };
  expect(await update({ ids, set, dry_run: true })).toEqual(bulkAnswer({ ...counts, changed: 2 }));
  expect(await stateOf(one.id)).toEqual(['open', ['sent', 'sent']]);
  const done = await update({ ids, set });
  const change_id = changeOf(done);
  expect(done).toEqual(bulkAnswer({ ...counts, changed: 2, change_id }));
  expect(await stateOf(one.id)).toEqual(['resolved', ['read', 'read']]);
  expect(await stateOf(two.id)).toEqual(['resolved', []]);
  expect(await update({ ids, set })).toEqual(bulkAnswer({ ...counts, unchanged: 2 }));
  expect(await auditRecordsOf(backoffice, 'conversations.update')).toEqual([
    {
      event: 'conversations.updated',
      subject_id: null,
      before: null,
      after: { change_id, ids: [one.id, two.id].sort(), count: 2, set },
    },
  ]);
});

test('the history is newest first, page by page, with who changed what and how many messages were read', async () => {
  const { id } = await createConversation(backoffice, 'First', 'Second');
  const { client, email, id: admin } = backoffice.superadmin;
  await backoffice.api.put('/conversations', { id, status: 'pending' });
  await update({ ids: [id], set: { assignee_id: admin, read: true } });
  const { history } = await client.call('conversations.history', { id });
  const by = { change_id: expect.any(Number), actor: email, door: 'http' };
  expect(history).toMatchObject([
    { ...by, field: 'read', before: 'sent', after: 'read', messages: 2 },
    { ...by, field: 'assignee_id', before: null, after: admin, messages: null },
    { ...by, field: 'status', before: 'open', after: 'pending', messages: null },
  ]);
  const first = await client.call('conversations.history', { id, limit: 1 });
  const rest = await client.call('conversations.history', { id, limit: 2, cursor: first.nextCursor ?? '' });
  expect([...first.history, ...rest.history, rest.nextCursor]).toEqual([...history, null]);
});

describe('undoing a change of conversations', () => {
  test('marks exactly those messages unread again that it marked, and puts the status back', async () => {
    const { id, messages } = await createConversation(backoffice, 'First', 'Second');
    await backoffice.api.post('/conversations/read', { id, up_to: messages[0] });
    const done = await update({ ids: [id], set: { status: 'closed', read: true } });
    const records = await auditRecordsOf(backoffice, 'conversations.update', id);
    expect(records).toMatchObject([{ before: { status: 'open' } }]);
    const undoing = await undo(changeOf(done));
    expect(undoing).toEqual(undone(1, 0));
    expect(await stateOf(id)).toEqual(['open', ['read', 'sent']]);
    expect(await undo(changeOf(undoing))).toEqual(undone(1, 0));
    expect(await stateOf(id)).toEqual(['closed', ['read', 'read']]);
  });

  test('leaves what has changed since', async () => {
    const [kept, reopened, gone] = await Promise.all(
      ['One', 'Two', 'Three'].map(async (content) => (await createConversation(backoffice, content)).id),
    );
    const done = await update({ ids: [kept, reopened, gone], set: { status: 'resolved' } });
    // A message of the visitor opens it again.
    const message = { conversation_id: reopened, content: 'Still broken', sender_type: 'visitor' };
    await backoffice.api.post('/messages', message);
    await backoffice.api.put('/conversations', { id: reopened, status: 'pending' });
    await backoffice.api.delete(`/conversations?id=${gone}`);
    expect(await undo(changeOf(done))).toEqual(undone(1, 2));
    expect(await stateOf(kept ?? '')).toEqual(['open', ['sent']]);
    expect(await stateOf(reopened ?? '')).toEqual(['pending', ['sent', 'sent']]);
  });
});

test('changes of the same conversations at once, with new messages and undos, do not deadlock', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 30; index += 1) ids.push((await createConversation(backoffice, 'Hello?')).id);
  const answers = await atOnce(36, async (index) => {
    const order = index % 2 === 0 ? ids : ids.toReversed();
    const id = ids[index % ids.length] ?? '';
    if (index % 3 === 0) {
      const message = { conversation_id: id, content: 'More', sender_type: 'visitor' };
      await backoffice.api.post('/messages', message);
      return await backoffice.api.post('/conversations/read', { id });
    }
    const status = ['open', 'resolved', 'closed'][index % 3];
    const done = await update({ ids: order, set: { status, ...(index % 2 === 0 ? { read: true } : {}) } });
    return changeOf(done) > 0 && index % 4 === 0 ? await undo(changeOf(done)) : done;
  });
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});
