import { beforeEach, describe, expect, test } from 'vitest';
import { atOnce, errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { auditRecordsOf, createConversation, type Thread, threadOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
import { answerAfter } from '../../support/postgres.ts';

const backoffice = backofficeHere();

describe('a thread', () => {
  test('has its conversation as in the list, and its messages, oldest first', async () => {
    const { id, messages } = await createConversation(backoffice, 'Hello?', 'Anybody?');
    await backoffice.api.post('/messages', { conversation_id: id, content: 'Yes.' });
    const thread = await threadOf(backoffice, id);
    const { conversations } = await backoffice.superadmin.client.call('conversations.list');
    expect(thread.conversation).toEqual(conversations.find((each) => each.id === id));
    expect(thread.conversation).toMatchObject({ last_message: 'Yes.', unread_count: 2 });
    const { email } = backoffice.superadmin;
    const visitors = {
      conversation_id: id,
      sender_type: 'visitor',
      sent_by: null,
      ai_draft: null,
      status: 'sent',
      from_draft_of: null,
      created_at: expect.stringMatching(timestampPattern),
    };
    expect(thread).toEqual({
      conversation: expect.anything(),
      messages: [
        { ...visitors, id: messages[0], content: 'Hello?' },
        { ...visitors, id: messages[1], content: 'Anybody?' },
        { ...visitors, id: expect.any(Number), content: 'Yes.', sender_type: 'admin', sent_by: email },
      ],
      issues: [],
      nextCursor: null,
    });
  });

  test('is read backwards page by page, each message once, while messages are added', async () => {
    const { id: conversation_id } = await createConversation(backoffice);
    // Three messages per timestamp, ordered only by their ids.
    await backoffice.sql(
      `insert into conversation_messages (conversation_id, sender_type, content, created_at)
       select $1, 'visitor', n, timestamptz '2026-03-01Z' + (n / 3) * interval '1 millisecond'
       from generate_series(0, 53) n order by n`,
      [conversation_id],
    );
    // Without a limit.
    expect((await threadOf(backoffice, conversation_id)).messages).toHaveLength(50);
    const pages: string[][] = [];
    let cursor: string | null | undefined = '';
    do {
      const page = { conversation_id, limit: 9, cursor };
      const thread: Thread = await backoffice.superadmin.client.call('messages.list', page);
      pages.push(thread.messages.map(({ content }) => content));
      await backoffice.api.post('/messages', { conversation_id, content: 'Added meanwhile' });
      cursor = thread.nextCursor;
    } while (typeof cursor === 'string');
    // The last one is full, and has no cursor.
    expect(pages.map((page) => page.length)).toEqual([9, 9, 9, 9, 9, 9]);
    expect(pages.toReversed().flat().map(Number)).toEqual(Array.from({ length: 54 }, (_, n) => n));
  });
});

describe('a reply', () => {
  test("has the sender's name, and moves the conversation to the top without reopening it", async () => {
    const { id } = await createConversation(backoffice, 'Hello?');
    await backoffice.api.put('/conversations', { id, status: 'resolved' });
    const { body } = await backoffice.api.post('/messages', { conversation_id: id, content: ' Hello! \n' });
    const { conversation, messages } = await threadOf(backoffice, id);
    expect(body).toEqual({ success: true, id: messages.at(-1)?.id });
    const sent = { sender_type: 'admin', sent_by: backoffice.superadmin.email };
    expect(messages.at(-1)).toMatchObject({ ...sent, content: ' Hello! \n' });
    expect(conversation).toMatchObject({ status: 'resolved', unread_count: 1 });
    expect(conversation?.updated_at).toBe(messages.at(-1)?.created_at);
  });

  test('from the visitor reopens a resolved conversation, and both are recorded without the text', async () => {
    const { id } = await createConversation(backoffice);
    await backoffice.api.put('/conversations', { id, status: 'closed' });
    const message = { conversation_id: id, content: 'One more thing', sender_type: 'visitor' };
    const { body } = await backoffice.api.post('/messages', message);
    expect((await threadOf(backoffice, id)).conversation).toMatchObject({ status: 'open', unread_count: 1 });
    const subject_id = String((body as { id: number }).id);
    const after = { conversation_id: id, sender_type: 'visitor', status: 'sent' };
    const change = { before: { status: 'closed' }, after: { status: 'open' } };
    expect((await auditRecordsOf(backoffice, 'messages.create')).slice(-2)).toEqual([
      { event: 'message.created', subject_id, before: null, after },
      { event: 'conversation.updated', subject_id: id, ...change },
    ]);
  });
});

describe('an answer to a question', () => {
  /** A conversation with one message of its visitor. */
  let conversation: string;
  let question: number;

  beforeEach(async () => {
    const { id, messages } = await createConversation(backoffice, 'Where is it?');
    conversation = id;
    question = messages[0] ?? 0;
  });

  const propose = (ai_draft: unknown) => backoffice.api.put('/messages', { id: question, ai_draft });
  const approve = (fields: object = {}) => backoffice.api.post('/messages', { approve: question, ...fields });
  const messages = async () => (await threadOf(backoffice, conversation)).messages;

  describe('a draft', () => {
    test('is proposed, edited and rejected, each recorded without the text', async () => {
      for (const draft of ['On its way.', 'On its way.', 'It is on its way.', null, null]) {
        expect(await propose(draft)).toEqual(success);
        expect((await messages())[0]?.ai_draft).toBe(draft);
      }
      const message = { conversation_id: conversation, sender_type: 'visitor', status: 'sent' };
      expect(await auditRecordsOf(backoffice, 'messages.updateDraft', question)).toEqual(
        ['proposed', 'edited', 'rejected'].map((draft) => ({
          event: 'message.updated',
          subject_id: String(question),
          before: message,
          after: { ...message, draft },
        })),
      );
    });

    test.for([
      ['unchanged', {}, 'On its way.'],
      ["with the approver's edits", { content: 'It arrives on Monday.' }, 'It arrives on Monday.'],
    ] as const)('is sent %s, in the name of the approver', async ([, edits, content]) => {
      await propose('On its way.');
      const { client, email } = await backoffice.service.signIn('user');
      const answer = await client.call('messages.create', { approve: String(question), ...edits });
      const [asked, reply] = await messages();
      expect(answer).toEqual({ success: true, id: reply?.id });
      expect(asked).toMatchObject({ ai_draft: null, status: 'sent' });
      const sent = { sender_type: 'admin', sent_by: email, from_draft_of: question, status: 'sent' };
      expect(reply).toMatchObject({ ...sent, content });
      const records = (await auditRecordsOf(backoffice, 'messages.create')).slice(-2);
      expect(records).toMatchObject([
        { event: 'message.updated', subject_id: String(question), after: { draft: 'sent' } },
        { event: 'message.created', subject_id: String(reply?.id), after: { from_draft_of: question } },
      ]);
      expect(JSON.stringify(records)).not.toContain(content);
    });

    test('is sent once by ten people at once, and cannot be edited, rejected or proposed again', async () => {
      await propose('On its way.');
      const answers = await atOnce(10, () => approve());
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const late = errorResponse(409, 'The draft has just been sent by somebody else.');
      expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(late));
      for (const draft of ['Another', null])
        expect(await propose(draft)).toEqual(errorResponse(400, 'The draft has already been sent.'));
      expect(await messages()).toHaveLength(2);
    });

    test('is not sent to a conversation that is being deleted', async () => {
      await propose('On its way.');
      const deletion = 'delete from conversations where id = $1';
      expect(await answerAfter(backoffice, [deletion, [conversation]], () => approve())).toEqual(
        errorResponse(400, 'There is no message with that id.'),
      );
    });
  });

  test('a draft is neither edited nor sent if it is not as the caller saw it, but may be proposed again', async () => {
    const edit = (ai_draft: string | null, expected: object) =>
      backoffice.api.put('/messages', { id: question, ai_draft, expected });
    const seen = { ai_draft: 'On its way.' };
    await propose('On its way.');
    expect(await edit(null, seen)).toEqual(success);
    expect(await edit('On its way.', { ai_draft: null })).toEqual(success);
    await approve();
    const sent = errorResponse(409, 'Changed meanwhile: the draft has been sent.');
    expect([await approve({ expected: seen }), await edit('Soon.', seen)]).toEqual([sent, sent]);
  });
});
