import { describe, expect, test } from 'vitest';
import { timestampPattern } from '../../../support/here/requests.ts';
import { auditRecordsOf, createConversation, type Thread, threadOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

const _bothRequired = 'conversation_id and content are required';
const _unknown = 'There is no conversation with that id.';

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
});
