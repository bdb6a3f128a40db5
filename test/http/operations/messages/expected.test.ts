import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, success } from '../../../support/here/requests.ts';
import { createConversation, threadOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

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
});
