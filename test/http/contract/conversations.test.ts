import { expect, test } from 'vitest';
import { timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

test('sections 2 and 4.4: conversations are ordered by updated_at, then id, descending, with their last message and unread count', async () => {
  const { sql, superadmin } = backoffice;
  await sql(`
    insert into conversations (id, visitor_email, visitor_name)
    select 'conv_1_' || name, 'v@example.com', 'V'
    from unnest(array['tie_b', 'newest', 'oldest', 'tie_c', 'tie_a']) as name
  `);
  await sql(`
    insert into conversation_messages (conversation_id, sender_type, status, created_at, content)
    values ('conv_1_newest', 'visitor', 'sent', timestamptz '2026-03-01T09:02Z', 'second'),
      ('conv_1_newest', 'visitor', 'sent', '2026-03-01T09:01Z', 'first'),
      ('conv_1_newest', 'admin', 'sent', '2026-03-01T09:03Z', 'answered'),
      ('conv_1_oldest', 'visitor', 'read', '2026-03-01T09:01Z', 'Hello'),
      ('conv_1_oldest', 'visitor', 'sent', '2026-03-01T09:02Z', 'Hello'),
      ('conv_1_oldest', 'visitor', 'odd', '2026-03-01T09:05Z', 'of an unknown status'),
      ('conv_1_tie_c', 'visitor', 'sent', '2026-03-01T09:00Z', 'tie, lower id'),
      ('conv_1_tie_c', 'visitor', 'sent', '2026-03-01T09:00Z', 'tie, higher id'),
      ('conv_1_tie_a', 'visitor', 'read', '2026-03-01T09:00Z', 'Hello')
  `);
  await sql(`
    update conversations set updated_at = case id
      when 'conv_1_newest' then timestamptz '2026-03-04' when 'conv_1_oldest' then '2026-03-01' else '2026-03-02' end
  `);
  const { conversations } = await superadmin.client.call('conversations.list');
  expect(conversations).toMatchObject([
    {
      id: 'conv_1_newest',
      last_message: 'answered',
      last_message_at: '2026-03-01T09:03:00.000Z',
      unread_count: 2,
    },
    { id: 'conv_1_tie_c', last_message: 'tie, higher id', unread_count: 2 },
    { id: 'conv_1_tie_b', last_message: null, last_message_at: null, unread_count: 0 },
    { id: 'conv_1_tie_a', last_message: 'Hello', unread_count: 0 },
    { id: 'conv_1_oldest', last_message: 'of an unknown status', unread_count: 1 },
  ]);
});

const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron' };

/** Creates a conversation and finds it in the list. */
async function create(fields: object) {
  const { body } = await backoffice.api.post('/conversations', { ...visitor, ...fields });
  const id = expect.stringMatching(/^conv_\d{13}_[0-9a-z]{1,7}$/);
  expect(body).toEqual({ success: true, conversation: { id } });
  const { conversations } = await backoffice.superadmin.client.call('conversations.list');
  return conversations.find(({ id }) => id === (body as { conversation: { id: string } }).conversation.id);
}

test('section 2: a conversation has exactly seven fields, of which the service sets four, and three computed ones', async () => {
  const given = { id: 'conv_1_a', status: 'closed', subject: 'An invoice', initial_message: '  Hello?\n' };
  const conversation = await create(given);
  expect(conversation).toEqual({
    ...visitor,
    id: expect.any(String),
    subject: 'An invoice',
    status: 'open',
    created_at: expect.stringMatching(timestampPattern),
    updated_at: conversation?.created_at,
    last_message: '  Hello?\n',
    last_message_at: expect.stringMatching(timestampPattern),
    unread_count: 1,
  });
  const messages = await backoffice.sql('select * from conversation_messages where conversation_id = $1', [
    conversation?.id,
  ]);
  expect(messages).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      conversation_id: conversation?.id,
      sender_type: 'visitor',
      content: '  Hello?\n',
      status: 'sent',
      created_at: expect.any(Date),
      ai_draft: null,
      sent_by: null,
      from_draft_of: null,
    },
  ]);
});

test('section 4.5: without a subject and a message, or with empty ones, the fields have their defaults', async () => {
  const defaults = { subject: '', last_message: null, last_message_at: null, unread_count: 0 };
  for (const given of [{}, { subject: '', initial_message: '' }])
    expect(await create(given)).toMatchObject(defaults);
});
