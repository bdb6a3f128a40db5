import { describe, expect, test } from 'vitest';
import { atOnce, bulkAnswer } from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const update = (body: unknown) => backoffice.api.patch('/conversations', body);
const undo = (change_id: unknown) => backoffice.api.post('/changes/undo', { change_id });

/** Returns the statuses of the messages, in the order of their ids. */
async function messageStatuses(ids: readonly number[]): Promise<string[]> {
  const rows = await backoffice.sql<{ status: string }>(
    'select status from conversation_messages where id = any($1) order by id',
    [ids],
  );
  return rows.map(({ status }) => status);
}

const statusOf = async (id: string) =>
  (await backoffice.sql('select status from conversations where id = $1', [id]))[0]?.status;

test('sets the status and marks as read, as one event', async () => {
  const one = await createConversation(backoffice, 'Hello?', 'Anyone?');
  const two = await createConversation(backoffice);
  const ids = [two.id, one.id, 'conv_unknown', one.id];
  const set = { status: 'resolved', read: true };
  expect(await update({ ids, set, dry_run: true })).toEqual(
    bulkAnswer({ matched: 2, changed: 2, unknown: ['conv_unknown'] }),
  );
  expect(await messageStatuses(one.messages)).toEqual(['sent', 'sent']);
  const done = await update({ ids, set });
  const { change_id } = done.body as { change_id: number };
  expect(done).toEqual(
    bulkAnswer({ matched: 2, changed: 2, unknown: ['conv_unknown'], change_id: expect.any(Number) }),
  );
  expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(['resolved', 'resolved']);
  expect(await messageStatuses(one.messages)).toEqual(['read', 'read']);
  expect(await update({ ids, set })).toEqual(
    bulkAnswer({ matched: 2, unchanged: 2, unknown: ['conv_unknown'] }),
  );
  expect(await auditRecordsOf(backoffice, 'conversations.update')).toEqual([
    {
      event: 'conversations.updated',
      subject_id: null,
      before: null,
      after: { change_id, ids: [one.id, two.id].sort(), count: 2, set },
    },
  ]);
});

test('one conversation is recorded with what it was, and undone', async () => {
  const { id } = await createConversation(backoffice);
  const done = await update({ ids: [id], set: { status: 'resolved' }, expected: { status: 'open' } });
  const records = await auditRecordsOf(backoffice, 'conversations.update');
  expect(records.find(({ subject_id }) => subject_id === id)).toMatchObject({ before: { status: 'open' } });
  expect(await undo((done.body as { change_id: number }).change_id)).toMatchObject({
    status: 200,
    body: { restored: 1, left: 0 },
  });
  expect(await statusOf(id)).toBe('open');
});

test('the history is newest first, page by page, with who changed what and how many messages were read', async () => {
  const { id } = await createConversation(backoffice, 'First', 'Second');
  const { client, email, id: admin } = backoffice.superadmin;
  await backoffice.api.put('/conversations', { id, status: 'pending' });
  await update({ ids: [id], set: { assignee_id: admin, read: true } });
  const { history } = await client.call('conversations.history', { id });
  expect(history.toReversed()).toEqual([
    expect.objectContaining({ field: 'status', before: 'open', after: 'pending', messages: null }),
    expect.objectContaining({ field: 'assignee_id', before: null, after: admin, messages: null }),
    expect.objectContaining({ field: 'read', before: 'sent', after: 'read', messages: 2 }),
  ]);
  for (const entry of history)
    expect(entry).toMatchObject({ change_id: expect.any(Number), actor: email, door: 'http' });
  const first = await client.call('conversations.history', { id, limit: 1 });
  expect(first).toEqual({ history: history.slice(0, 1), nextCursor: expect.any(String) });
  const rest = await client.call('conversations.history', { id, limit: 2, cursor: first.nextCursor ?? '' });
  expect(rest).toEqual({ history: history.slice(1), nextCursor: null });
  expect(await backoffice.api.get('/conversations/history?id=none')).toMatchObject({ body: { history: [] } });
});

describe('undoing a change of conversations', () => {
  test('marks exactly those messages unread again that it marked, and puts the status back', async () => {
    const { id, messages } = await createConversation(backoffice, 'First', 'Second');
    await backoffice.api.post('/conversations/read', { id, up_to: messages[0] });
    const { change_id } = (await update({ ids: [id], set: { status: 'closed', read: true } })).body as {
      change_id: number;
    };
    expect(await undo(change_id)).toMatchObject({ body: { restored: 1, left: 0 } });
    expect(await messageStatuses(messages)).toEqual(['read', 'sent']);
    expect(await statusOf(id)).toBe('open');
    const redo = await undo(change_id + 1);
    expect(redo).toMatchObject({ body: { restored: 1, left: 0 } });
    expect(await messageStatuses(messages)).toEqual(['read', 'read']);
    expect(await statusOf(id)).toBe('closed');
  });

  test('leaves what has changed since', async () => {
    const kept = await createConversation(backoffice, 'One');
    const reopened = await createConversation(backoffice, 'Two');
    const gone = await createConversation(backoffice, 'Three');
    const ids = [kept.id, reopened.id, gone.id];
    const { change_id } = (await update({ ids, set: { status: 'resolved' } })).body as { change_id: number };
    await backoffice.superadmin.client.call('messages.create', {
      conversation_id: reopened.id,
      content: 'Still broken',
      sender_type: 'visitor',
    });
    await backoffice.api.put('/conversations', { id: reopened.id, status: 'pending' });
    await backoffice.api.delete(`/conversations?id=${gone.id}`);
    expect(await undo(change_id)).toMatchObject({ body: { restored: 1, left: 2 } });
    expect([await statusOf(kept.id), await statusOf(reopened.id)]).toEqual(['open', 'pending']);
  });
});

test('changes of the same conversations at once, with new messages and undos, do not deadlock', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 30; index += 1) ids.push((await createConversation(backoffice, 'Hello?')).id);
  const { client } = backoffice.superadmin;
  const answers = await atOnce(36, async (index) => {
    const order = index % 2 === 0 ? ids : ids.toReversed();
    const id = ids[index % ids.length] ?? '';
    if (index % 3 === 0) {
      await client.call('messages.create', { conversation_id: id, content: 'More', sender_type: 'visitor' });
      return await backoffice.api.post('/conversations/read', { id });
    }
    const set = {
      status: ['open', 'resolved', 'closed'][index % 3],
      ...(index % 2 === 0 ? { read: true } : {}),
    };
    const done = await update({ ids: order, set });
    const { change_id } = done.body as { change_id: number | null };
    return change_id !== null && index % 4 === 0 ? await undo(change_id) : done;
  });
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});
