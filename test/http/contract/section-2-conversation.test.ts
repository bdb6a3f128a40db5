import { expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron' };

/** Creates a conversation and finds it in the list. */
async function create(conversation: InputOf<'conversations.create'>) {
  const { client } = backoffice.superadmin;
  const { conversation: created } = await client.call('conversations.create', conversation);
  const { conversations } = await client.call('conversations.list');
  return conversations.find(({ id }) => id === created.id);
}

function messagesOf(id: string | undefined) {
  return backoffice.sql('select * from conversation_messages where conversation_id = $1', [id]);
}

test('section 2: a conversation has exactly seven fields and three computed ones, with their types', async () => {
  const conversation = await create({ ...visitor, subject: 'An invoice', initial_message: 'Once more?' });
  expect(conversation).toEqual({
    id: expect.any(String),
    visitor_email: 'ada@example.com',
    visitor_name: 'Ada Byron',
    subject: 'An invoice',
    status: 'open',
    created_at: expect.stringMatching(timestampPattern),
    updated_at: expect.stringMatching(timestampPattern),
    last_message: 'Once more?',
    last_message_at: expect.stringMatching(timestampPattern),
    unread_count: 1,
  });
});

test('section 2: the id is conv_, the creation time in milliseconds and up to 7 base-36 characters', async () => {
  const before = Date.now();
  const { conversation } = await backoffice.superadmin.client.call('conversations.create', visitor);
  const [, milliseconds] = /^conv_(\d+)_[0-9a-z]{1,7}$/.exec(conversation.id) ?? [];
  expect(Number(milliseconds)).toBeGreaterThanOrEqual(before);
  expect(Number(milliseconds)).toBeLessThanOrEqual(Date.now());
});

test('section 2: the default subject is an empty string and the default status is open', async () => {
  expect(await create(visitor)).toMatchObject({ subject: '', status: 'open' });
});

test('section 2: without a message the computed fields are null, null and 0', async () => {
  expect(await create(visitor)).toMatchObject({
    last_message: null,
    last_message_at: null,
    unread_count: 0,
  });
});

test('section 2: created_at and updated_at of a new conversation are its creation time', async () => {
  const conversation = await create(visitor);
  expect(Math.abs(Date.parse(conversation?.created_at ?? '') - Date.now())).toBeLessThan(60_000);
  expect(conversation?.updated_at).toBe(conversation?.created_at);
});

test('section 2: the first message is from the visitor, sent and without a draft', async () => {
  const conversation = await create({ ...visitor, initial_message: '  Hello?\n' });
  expect(await messagesOf(conversation?.id)).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      conversation_id: conversation?.id,
      sender_type: 'visitor',
      content: '  Hello?\n',
      ai_draft: null,
      sent_by: null,
      from_draft_of: null,
      status: 'sent',
      created_at: expect.any(Date),
    },
  ]);
});

test('section 4.5: an empty or omitted initial_message adds no message', async () => {
  const empty = await create({ ...visitor, initial_message: '' });
  const omitted = await create(visitor);
  expect(await messagesOf(empty?.id)).toEqual([]);
  expect(await messagesOf(omitted?.id)).toEqual([]);
});

test('section 4.5: creating a conversation returns only its id', async () => {
  expect(await backoffice.api.post('/conversations', { ...visitor, subject: 'S' })).toEqual({
    status: 200,
    body: { success: true, conversation: { id: expect.stringMatching(/^conv_/) } },
  });
});

test('section 4.5: the request cannot set the id or status of a new conversation', async () => {
  const { body } = await backoffice.api.post('/conversations', {
    ...visitor,
    id: 'conv_1_a',
    status: 'closed',
  });
  expect(body).not.toMatchObject({ conversation: { id: 'conv_1_a' } });
  expect(await backoffice.sql("select from conversations where status <> 'open'")).toEqual([]);
});
