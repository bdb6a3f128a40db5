import { describe, expect, test } from 'vitest';
import { errorResponse, timestampPattern } from '../../../support/here/requests.ts';
import { auditRecordsOf, createConversation, type Thread, threadOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

const bothRequired = 'conversation_id and content are required';
const unknown = 'There is no conversation with that id.';

describe('a thread', () => {
  test('has its conversation as in the list, and its messages, oldest first', async () => {
    const { id, messages } = await createConversation(backoffice, 'Hello?', 'Anybody?');
    await backoffice.api.post('/messages', { conversation_id: id, content: 'Yes.' });
    const thread = await threadOf(backoffice, id);
    const { conversations } = await backoffice.superadmin.client.call('conversations.list');
    expect(thread.conversation).toEqual(conversations.find((each) => each.id === id));
    expect(thread.conversation).toMatchObject({ last_message: 'Yes.', unread_count: 2 });
    const visitors = { conversation_id: id, sender_type: 'visitor', ai_draft: null, status: 'sent' };
    const rest = { created_at: expect.stringMatching(timestampPattern), from_draft_of: null };
    expect(thread).toEqual({
      conversation: expect.anything(),
      messages: [
        { id: messages[0], content: 'Hello?', sent_by: null, ...visitors, ...rest },
        { id: messages[1], content: 'Anybody?', sent_by: null, ...visitors, ...rest },
        {
          ...visitors,
          ...rest,
          id: expect.any(Number),
          sender_type: 'admin',
          content: 'Yes.',
          sent_by: backoffice.superadmin.email,
        },
      ],
      issues: [],
      nextCursor: null,
    });
  });

  test('is empty for an unknown conversation', async () => {
    expect(await backoffice.api.get('/messages?conversation_id=none')).toEqual({
      status: 200,
      body: { conversation: null, messages: [], issues: [], nextCursor: null },
    });
  });

  test.for(['', '?conversation_id='])('requires the id: %j', async (query) => {
    expect(await backoffice.api.get(`/messages${query}`)).toEqual(
      errorResponse(400, 'conversation_id is required'),
    );
  });

  test('has the last 50 messages by default', async () => {
    const { id } = await createConversation(backoffice);
    await backoffice.sql(
      `insert into conversation_messages (conversation_id, sender_type, content)
       select $1, 'visitor', n from generate_series(1, 51) n order by n`,
      [id],
    );
    const { messages, nextCursor } = await threadOf(backoffice, id);
    expect(messages.map(({ content }) => Number(content))).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 2),
    );
    expect(nextCursor).not.toBeNull();
  });

  test('is read backwards page by page, each message once, while messages are added', async () => {
    const { id } = await createConversation(backoffice);
    // Three messages per timestamp, ordered only by their ids.
    await backoffice.sql(
      `insert into conversation_messages (conversation_id, sender_type, content, created_at)
       select $1, 'visitor', n, timestamptz '2026-03-01Z' + (n / 3) * interval '1 millisecond'
       from generate_series(0, 21) n order by n`,
      [id],
    );
    const pages: string[][] = [];
    let cursor: string | null | undefined;
    do {
      const thread: Thread = await backoffice.superadmin.client.call('messages.list', {
        conversation_id: id,
        limit: 4,
        ...(cursor ? { cursor } : {}),
      });
      pages.push(thread.messages.map(({ content }) => content));
      await backoffice.api.post('/messages', { conversation_id: id, content: 'Added meanwhile' });
      cursor = thread.nextCursor;
    } while (cursor !== null);
    expect(pages.map((page) => page.length)).toEqual([4, 4, 4, 4, 4, 2]);
    expect(pages.toReversed().flat().map(Number)).toEqual(Array.from({ length: 22 }, (_, n) => n));
  });

  test('has no next page if its last page is full', async () => {
    const { id } = await createConversation(backoffice, 'one', 'two');
    expect(await backoffice.api.get(`/messages?conversation_id=${id}&limit=2`)).toMatchObject({
      body: { nextCursor: null },
    });
  });

  test.for(['0', '1001', '1.5', 'many'])('rejects a limit of %s', async (limit) => {
    expect(await backoffice.api.get(`/messages?conversation_id=x&limit=${limit}`)).toEqual(
      errorResponse(400, 'limit must be a whole number from 1 to 1,000.'),
    );
  });
});

describe('a reply', () => {
  test("has the sender's name, and moves the conversation to the top without reopening it", async () => {
    const { id } = await createConversation(backoffice, 'Hello?');
    await backoffice.api.put('/conversations', { id, status: 'resolved' });
    const { conversation: before } = await threadOf(backoffice, id);
    const { body } = await backoffice.api.post('/messages', { conversation_id: id, content: ' Hello! \n' });
    const { conversation, messages } = await threadOf(backoffice, id);
    expect(body).toEqual({ success: true, id: messages.at(-1)?.id });
    expect(messages.at(-1)).toMatchObject({
      sender_type: 'admin',
      content: ' Hello! \n',
      sent_by: backoffice.superadmin.email,
    });
    expect(conversation).toMatchObject({ status: 'resolved', unread_count: 1 });
    const [moved] = await backoffice.sql(
      `select c.updated_at = max(m.created_at) as moved from conversations c
       join conversation_messages m on m.conversation_id = c.id where c.id = $1 group by c.id`,
      [id],
    );
    expect(moved).toEqual({ moved: true });
    expect(Date.parse(String(conversation?.updated_at))).toBeGreaterThanOrEqual(
      Date.parse(String(before?.updated_at)),
    );
  });

  test('from the visitor reopens a resolved conversation, and both are recorded without the text', async () => {
    const { id } = await createConversation(backoffice);
    await backoffice.api.put('/conversations', { id, status: 'closed' });
    const before = (await auditRecordsOf(backoffice, 'messages.create')).length;
    const message = { conversation_id: id, content: 'One more thing', sender_type: 'visitor' };
    const { body } = await backoffice.api.post('/messages', message);
    expect((await threadOf(backoffice, id)).conversation).toMatchObject({ status: 'open', unread_count: 1 });
    expect((await auditRecordsOf(backoffice, 'messages.create')).slice(before)).toEqual([
      {
        event: 'message.created',
        subject_id: String((body as { id: number }).id),
        before: null,
        after: { conversation_id: id, sender_type: 'visitor', status: 'sent' },
      },
      {
        event: 'conversation.updated',
        subject_id: id,
        before: { status: 'closed' },
        after: { status: 'open' },
      },
    ]);
  });

  test('to an unknown conversation is rejected', async () => {
    expect(await backoffice.api.post('/messages', { conversation_id: 'none', content: 'Hello' })).toEqual(
      errorResponse(400, unknown),
    );
  });

  test.for([
    [{}, bothRequired],
    [[], bothRequired],
    [{ content: 'Hello' }, bothRequired],
    [{ conversation_id: 'c' }, bothRequired],
    [{ conversation_id: 'c', content: '' }, bothRequired],
    [{ conversation_id: 'c', content: ' \n' }, bothRequired],
    [{ conversation_id: 7, content: 'Hello' }, bothRequired],
    [{ conversation_id: 'c', content: { text: 'Hello' } }, bothRequired],
    [{ conversation_id: 'c', content: 'Hello', approve: null }, unknown],
    [{ conversation_id: 'c', content: 'Hello', sender_type: null }, unknown],
    [
      { conversation_id: 'c', content: 'Hello', sender_type: 'robot' },
      'Invalid sender_type. Must be one of: visitor, admin',
    ],
    [{ approve: '' }, 'approve must be a message id.'],
    [{ approve: {}, conversation_id: 'c', content: 'Hello' }, 'approve must be a message id.'],
    [{ approve: 1, content: ' ' }, 'content must not be blank.'],
    [{ approve: 1, content: 7 }, 'content must not be blank.'],
    [{ approve: 1, conversation_id: 7 }, 'conversation_id must be the id of a conversation.'],
  ] as const)('%j is rejected: %s', async ([body, text]) => {
    expect(await backoffice.api.post('/messages', body)).toEqual(errorResponse(400, text));
  });
});
