import { beforeEach, describe, expect, test } from 'vitest';
import { apiAs, errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation, type Thread, threadOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

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

describe('an answer to a question', () => {
  /** Creates a conversation with one message of its visitor. */
  let conversation: string;
  let question: number;

  beforeEach(async () => {
    const { id, messages } = await createConversation(backoffice, 'Where is it?');
    conversation = id;
    question = messages[0] ?? 0;
  });

  const propose = (ai_draft: unknown, id: unknown = question) =>
    backoffice.api.put('/messages', { id, ai_draft });
  const approve = (fields: object = {}) => backoffice.api.post('/messages', { approve: question, ...fields });
  const messages = async () => (await threadOf(backoffice, conversation)).messages;

  const alreadySent = 'The draft has just been sent by somebody else.';

  describe('a draft', () => {
    test('is proposed, edited and rejected, each recorded without the text', async () => {
      for (const draft of ['On its way.', 'On its way.', 'It is on its way.', null, null]) {
        expect(await propose(draft)).toEqual(success);
        expect((await messages())[0]?.ai_draft).toBe(draft);
      }
      const records = (await auditRecordsOf(backoffice, 'messages.updateDraft')).filter(
        ({ subject_id }) => subject_id === String(question),
      );
      const message = { conversation_id: conversation, sender_type: 'visitor', status: 'sent' };
      expect(records).toEqual(
        ['proposed', 'edited', 'rejected'].map((draft) => ({
          event: 'message.updated',
          subject_id: String(question),
          before: message,
          after: { ...message, draft },
        })),
      );
    });

    test('is sent unchanged, in the name of the approver', async () => {
      await propose('On its way.');
      const { client: _client, ...other } = await backoffice.service.signIn('user');
      const answer = await apiAs(backoffice.service.url, other).post('/messages', {
        approve: String(question),
      });
      const [asked, reply] = await messages();
      expect(answer).toEqual({ status: 200, body: { success: true, id: reply?.id } });
      expect(asked).toMatchObject({ ai_draft: null, status: 'sent' });
      expect(reply).toMatchObject({
        sender_type: 'admin',
        content: 'On its way.',
        sent_by: other.email,
        from_draft_of: question,
        status: 'sent',
      });
      const records = (await auditRecordsOf(backoffice, 'messages.create')).slice(-2);
      expect(records).toMatchObject([
        { event: 'message.updated', subject_id: String(question), after: { draft: 'sent' } },
        { event: 'message.created', subject_id: String(reply?.id), after: { from_draft_of: question } },
      ]);
      expect(JSON.stringify(records)).not.toContain('On its way');
    });

    test("is sent with the approver's edits", async () => {
      await propose('On its way.');
      await approve({ content: 'It arrives on Monday.', conversation_id: conversation });
      expect((await messages())[1]).toMatchObject({
        content: 'It arrives on Monday.',
        from_draft_of: question,
      });
    });

    test('is sent once, and cannot be sent, edited, rejected or proposed again', async () => {
      await propose('On its way.');
      expect((await approve()).status).toBe(200);
      expect(await approve()).toEqual(errorResponse(409, alreadySent));
      for (const draft of ['Another', null]) {
        expect(await propose(draft)).toEqual(errorResponse(400, 'The draft has already been sent.'));
      }
      expect(await messages()).toHaveLength(2);
    });

    test('is sent once when ten people approve it at once', async () => {
      await propose('On its way.');
      const answers = await Promise.all(Array.from({ length: 10 }, () => approve()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(
        Array(9).fill(errorResponse(409, alreadySent)),
      );
      expect(await messages()).toHaveLength(2);
    });

    test('is not sent to a conversation that is being deleted', async () => {
      await propose('On its way.');
      await withClient(backoffice.service.databaseUrl, async (client) => {
        await client.query('begin');
        await client.query('select from conversations where id = $1 for update', [conversation]);
        const approved = approve();
        await untilBlocked(backoffice);
        await client.query('delete from conversations where id = $1', [conversation]);
        await client.query('commit');
        expect(await approved).toEqual(errorResponse(400, 'There is no message with that id.'));
      });
    });

    test('is sent or deleted with its conversation, without a deadlock', async () => {
      for (let round = 0; round < 20; round += 1) {
        const { id, messages: asked } = await createConversation(backoffice, 'Where is it?');
        await propose('On its way.', asked[0]);
        const [deleted, approved] = await Promise.all([
          backoffice.api.delete(`/conversations?id=${id}`),
          backoffice.api.post('/messages', { approve: asked[0] }),
        ]);
        expect(deleted).toEqual(success);
        expect([200, 400]).toContain(approved.status);
      }
    });
  });

  test('the database accepts only one reply per draft', async () => {
    const again = () =>
      backoffice.sql(
        `insert into conversation_messages (conversation_id, sender_type, content, from_draft_of)
       values ($1, 'admin', 'Hello', $2)`,
        [conversation, question],
      );
    await again();
    await expect(again()).rejects.toThrow('conversation_messages_from_draft_of_key');
  });

  describe('a draft that the caller saw', () => {
    beforeEach(() => propose('On its way.'));

    const edit = (ai_draft: string | null, expected: object) =>
      backoffice.api.put('/messages', { id: question, ai_draft, expected });
    const send = (ai_draft: string) => approve({ expected: { ai_draft } });
    const changed = (what: string) => errorResponse(409, `Changed meanwhile: ${what}.`);

    test('is edited, rejected and sent if it is still the same', async () => {
      expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(success);
      expect(await edit(null, { ai_draft: 'Soon.' })).toEqual(success);
      expect(await edit('Now.', { ai_draft: null })).toEqual(success);
      expect(await send('Now.')).toMatchObject({ status: 200 });
      expect((await messages())[1]).toMatchObject({ content: 'Now.', from_draft_of: question });
    });

    test('is not sent after it was rejected', async () => {
      await propose(null);
      expect(await send('On its way.')).toEqual(changed('ai_draft is no longer set'));
      expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(changed('ai_draft is no longer set'));
    });

    test('is not sent or edited again after it was sent', async () => {
      await approve();
      expect(await send('On its way.')).toEqual(changed('the draft has been sent'));
      expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(changed('the draft has been sent'));
      expect(await edit('Soon.', { ai_draft: null })).toEqual(
        errorResponse(400, 'The draft has already been sent.'),
      );
    });
  });
});
