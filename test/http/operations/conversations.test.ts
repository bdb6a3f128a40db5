import { describe, expect, test } from 'vitest';
import { success } from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation, threadOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
import { duringTransaction, untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

const unreadOf = async (id: string) => (await threadOf(backoffice, id)).conversation?.unread_count;
const read = (id: string, fields: object = {}) =>
  backoffice.api.post('/conversations/read', { id, ...fields });
const marked = (read: number) => ({ status: 200, body: { success: true, read } });

test.for(['resolved', 'open'])(
  'the status of a conversation becomes %s, with a new updated_at',
  async (status) => {
    const { id } = await createConversation(backoffice, 'Hello?');
    await backoffice.sql("update conversations set updated_at = '2026-01-31 09:30Z' where id = $1", [id]);
    expect(await backoffice.api.put('/conversations', { id, status })).toEqual(success);
    const { conversation } = await threadOf(backoffice, id);
    expect(conversation?.status).toBe(status);
    expect(Date.parse(String(conversation?.updated_at))).toBeGreaterThan(Date.now() - 60_000);
    const change = { before: { status: 'open' }, after: { status } };
    // Only changes are recorded.
    expect(await auditRecordsOf(backoffice, 'conversations.changeStatus', id)).toEqual(
      status === 'open' ? [] : [{ event: 'conversation.updated', subject_id: id, ...change }],
    );
  },
);

describe('marking as read', () => {
  test('marks every visitor message, keeps the order of the list, and leaves one record', async () => {
    const { id } = await createConversation(backoffice, 'Hello?', 'Anybody?');
    await backoffice.api.post('/messages', { conversation_id: id, content: 'Yes.' });
    const { conversation: before } = await threadOf(backoffice, id);
    expect(before?.unread_count).toBe(2);
    expect(await read(id)).toEqual(marked(2));
    expect(await read(id)).toEqual(marked(0));
    const { conversation, messages } = await threadOf(backoffice, id);
    expect(conversation).toEqual({ ...before, unread_count: 0 });
    expect(messages.map(({ status }) => status)).toEqual(['read', 'read', 'sent']);
    const change = { before: { unread_count: 2 }, after: { unread_count: 0 } };
    expect(await auditRecordsOf(backoffice, 'conversations.read', id)).toEqual([
      { event: 'conversation.updated', subject_id: id, ...change },
    ]);
  });

  test('up to a message leaves later messages and other conversations unread', async () => {
    const { id, messages } = await createConversation(backoffice, 'one', 'two', 'three');
    const other = await createConversation(backoffice, 'one');
    for (const up_to of [0, 1.5, 'abc', 1e30]) expect(await read(id, { up_to })).toEqual(marked(0));
    expect(await read(id, { up_to: messages[1] })).toEqual(marked(2));
    expect(await unreadOf(id)).toBe(1);
    expect(await read(id, { up_to: String(other.messages[0]) })).toEqual(marked(1));
    expect([await unreadOf(id), await unreadOf(other.id)]).toEqual([0, 1]);
  });

  test('leaves a message unread that commits after the last one that the reader saw', async () => {
    const { id } = await createConversation(backoffice);
    const lock = 'select from conversations where id = $1 for no key update';
    const { late, seen } = await duringTransaction(backoffice, [lock, [id]], async (client) => {
      const message = { conversation_id: id, content: 'late', sender_type: 'visitor' };
      const late = backoffice.api.post('/messages', message);
      await untilBlocked(backoffice);
      const { rows } = await client.query(
        `insert into conversation_messages (conversation_id, sender_type, content)
         values ($1, 'visitor', 'seen') returning id`,
        [id],
      );
      return { late, seen: Number(rows[0].id) };
    });
    await late;
    expect(await read(id, { up_to: seen })).toEqual(marked(1));
    const { conversation, messages } = await threadOf(backoffice, id);
    expect(conversation?.unread_count).toBe(1);
    expect(messages).toMatchObject([
      { content: 'seen', status: 'read' },
      { content: 'late', status: 'sent' },
    ]);
  });
});

test("marking as unread marks the visitor's newest message, or those from one on, keeps the order, and is recorded", async () => {
  const { id, messages } = await createConversation(backoffice, 'one', 'two', 'three');
  const unread = (fields: object = {}) => backoffice.api.post('/conversations/unread', { id, ...fields });
  const done = (count: number) => ({ status: 200, body: { success: true, unread: count } });
  await backoffice.api.post('/messages', { conversation_id: id, content: 'Yes.' });
  await read(id);
  const { conversation: before } = await threadOf(backoffice, id);
  expect(await unread()).toEqual(done(1));
  expect(await unread()).toEqual(done(0));
  const { conversation, messages: now } = await threadOf(backoffice, id);
  expect(conversation).toEqual({ ...before, unread_count: 1 });
  expect(now.map(({ status }) => status)).toEqual(['read', 'read', 'sent', 'sent']);
  expect(await unread({ from: String(messages[1]) })).toEqual(done(1));
  expect(await unreadOf(id)).toBe(2);
  expect(await auditRecordsOf(backoffice, 'conversations.unread', id)).toMatchObject([
    { before: { unread_count: 0 }, after: { unread_count: 1 } },
    { before: { unread_count: 1 }, after: { unread_count: 2 } },
  ]);
  expect(await unread({ from: 1e30 })).toEqual(done(0));
});

test('deleting a conversation deletes its messages, drafts and links, and records each link', async () => {
  const { id, messages } = await createConversation(backoffice, 'Hello?');
  await backoffice.api.put('/messages', { id: messages[0], ai_draft: 'Hello!' });
  await backoffice.api.post('/messages', { approve: messages[0] });
  const issue = { title: 'T', conversation_id: id };
  const { id: issue_id } = await backoffice.superadmin.client.call('issues.create', issue);
  expect(await backoffice.api.delete(`/conversations?id=${id}`)).toEqual(success);
  const nothing = { conversation: null, messages: [], issues: [], nextCursor: null };
  expect(await threadOf(backoffice, id)).toEqual(nothing);
  const left = await backoffice.sql(
    `select from conversation_messages where conversation_id = $1
     union all select from issue_links where conversation_id = $1`,
    [id],
  );
  expect(left).toEqual([]);
  const conversation = { visitor_email: 'ada@example.com', subject: 'An invoice', status: 'open' };
  const link = { issue_id, conversation_id: id };
  expect((await auditRecordsOf(backoffice, 'conversations.delete')).slice(-2)).toEqual([
    { event: 'link.deleted', subject_id: String(issue_id), before: link, after: null },
    { event: 'conversation.deleted', subject_id: id, before: conversation, after: null },
  ]);
});
