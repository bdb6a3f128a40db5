import { beforeEach, describe, expect, test } from 'vitest';
import { apiAs, errorResponse, success } from '../../../support/here/requests.ts';
import { auditRecordsOf, createConversation, threadOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';
import { withClient } from '../../../support/postgres/server.ts';
import { untilBlocked } from '../../../support/postgres.ts';

const backoffice = backofficeHere();

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

  test('is not sent after it was rejected', async () => {
    await propose('On its way.');
    await propose(null);
    expect(await approve()).toEqual(errorResponse(400, 'The message has no draft to send.'));
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

  test('can be changed for an unknown message, but not sent', async () => {
    for (const id of [0, -1, 1e30, 'abc', '99999999999999999999']) {
      expect(await propose('Draft', id)).toEqual(success);
      expect(await backoffice.api.post('/messages', { approve: id })).toEqual(
        errorResponse(400, 'There is no message with that id.'),
      );
    }
  });

  test('is not sent if the request names another conversation', async () => {
    await propose('On its way.');
    expect(await approve({ conversation_id: 'another' })).toEqual(
      errorResponse(400, 'There is no message with that id.'),
    );
    expect(await messages()).toHaveLength(1);
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
