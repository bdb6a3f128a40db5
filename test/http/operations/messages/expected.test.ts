import { beforeEach, describe, expect, test } from 'vitest';
import { atOnce, errorResponse, success } from '../../../support/here/requests.ts';
import { createConversation, threadOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';
import { withClient } from '../../../support/postgres/server.ts';
import { untilBlocked } from '../../../support/postgres.ts';

const backoffice = backofficeHere();
let conversation: string;
let question: number;

beforeEach(async () => {
  const { id, messages } = await createConversation(backoffice, 'Where is it?');
  conversation = id;
  question = messages[0] ?? 0;
  await edit('On its way.');
});

const edit = (ai_draft: string | null, expected?: unknown, id = question) =>
  backoffice.api.put('/messages', { id, ai_draft, expected });
const approve = (expected?: unknown, fields: object = {}) =>
  backoffice.api.post('/messages', { approve: question, expected, ...fields });
const messages = async () => (await threadOf(backoffice, conversation)).messages;
const changed = (what: string) => errorResponse(409, `Changed meanwhile: ${what}.`);

describe('a draft that the caller saw', () => {
  test('is edited, rejected and sent if it is still the same', async () => {
    expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(success);
    expect(await edit(null, { ai_draft: 'Soon.' })).toEqual(success);
    expect(await edit('Now.', { ai_draft: null })).toEqual(success);
    expect(await approve({ ai_draft: 'Now.' })).toMatchObject({ status: 200 });
    expect((await messages())[1]).toMatchObject({ content: 'Now.', from_draft_of: question });
  });

  test('is neither edited nor sent after somebody edited it, also with an edited text', async () => {
    await edit('Sorry, lost.');
    const refusal = errorResponse(409, 'Changed meanwhile: ai_draft is now Sorry, lost.');
    expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(refusal);
    expect(await approve({ ai_draft: 'On its way.' })).toEqual(refusal);
    expect(await approve({ ai_draft: 'On its way.' }, { content: 'Soon.' })).toEqual(refusal);
    expect(await messages()).toMatchObject([{ ai_draft: 'Sorry, lost.' }]);
  });

  test('is not sent after it was rejected', async () => {
    await edit(null);
    expect(await approve({ ai_draft: 'On its way.' })).toEqual(changed('ai_draft is no longer set'));
    expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(changed('ai_draft is no longer set'));
  });

  test('is not sent or edited again after it was sent', async () => {
    await approve();
    expect(await approve({ ai_draft: 'On its way.' })).toEqual(changed('the draft has been sent'));
    expect(await edit('Soon.', { ai_draft: 'On its way.' })).toEqual(changed('the draft has been sent'));
    expect(await edit('Soon.', { ai_draft: null })).toEqual(
      errorResponse(400, 'The draft has already been sent.'),
    );
  });

  test('is edited once and sent once when ten do so at once', async () => {
    const edits = await atOnce(10, (index) => edit(`Draft ${index}`, { ai_draft: 'On its way.' }));
    const first = edits.findIndex(({ status }) => status === 200);
    expect(edits.filter(({ status }) => status !== 200)).toEqual(
      Array(9).fill(changed(`ai_draft is now Draft ${first}`)),
    );
    const sent = await atOnce(10, () => approve({ ai_draft: `Draft ${first}` }));
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(sent.filter(({ status }) => status !== 200)).toEqual(
      Array(9).fill(changed('the draft has been sent')),
    );
    expect(await messages()).toHaveLength(2);
  });

  test('is not sent if plain SQL replaces it at the same time', async () => {
    await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query(`update conversation_messages set ai_draft = 'SQL' where id = $1`, [question]);
      const approved = approve({ ai_draft: 'On its way.' });
      await untilBlocked(backoffice);
      await client.query('commit');
      expect(await approved).toEqual(changed('ai_draft is now SQL'));
    });
  });

  test('of an unknown message is a 409', async () => {
    expect(await edit('Soon.', {}, 0)).toEqual(changed('the message no longer exists'));
  });

  test.for([null, 'On its way.', { ai_draft: 1 }, { draft: 'On its way.' }])(
    'is an object with ai_draft, not %j',
    async (expected) => {
      expect(await edit('Soon.', expected)).toMatchObject({ status: 400 });
      expect(await approve(expected)).toMatchObject({ status: 400 });
      expect(await messages()).toMatchObject([{ ai_draft: 'On its way.' }]);
    },
  );
});

describe('PUT conversations with the fields that the caller saw', () => {
  const change = (status: string, expected: unknown, id = conversation) =>
    backoffice.api.put('/conversations', { id, status, expected });

  test('changes a conversation that still has them, and nothing otherwise', async () => {
    expect(await change('closed', { status: 'open', subject: 'An invoice' })).toEqual(success);
    expect(await change('pending', { status: 'open' })).toEqual(changed('status is now closed'));
    expect((await threadOf(backoffice, conversation)).conversation).toMatchObject({ status: 'closed' });
    expect(await change('open', {}, 'conv_unknown')).toEqual(changed('the conversation no longer exists'));
  });

  test('changes it once when ten do so at once', async () => {
    const answers = await atOnce(10, () => change('closed', { status: 'open' }));
    expect(answers.filter(({ status }) => status === 200)).toEqual([success]);
    expect(answers.filter(({ status }) => status === 409)).toEqual(
      Array(9).fill(changed('status is now closed')),
    );
  });
});
