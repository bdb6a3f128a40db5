import { beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

describe('the list of conversations', () => {
  interface Message {
    sender_type?: 'visitor' | 'admin';
    content?: string;
    status?: string;
    /** Minutes after nine o'clock. */
    minute?: number;
  }

  /** Inserts a conversation with messages directly, so that its times are known. */
  async function insertConversation(id: string, updatedAt: string, messages: Message[] = []): Promise<void> {
    await backoffice.sql(
      "insert into conversations (id, visitor_email, visitor_name) values ($1, 'v@example.com', 'V')",
      [id],
    );
    for (const { sender_type = 'visitor', content = 'Hello', status = 'sent', minute = 0 } of messages) {
      await backoffice.sql(
        `insert into conversation_messages (conversation_id, sender_type, content, status, created_at)
         values ($1, $2, $3, $4, timestamptz '2026-03-01T09:00:00Z' + make_interval(mins => $5))`,
        [id, sender_type, content, status, minute],
      );
    }
    await backoffice.sql('update conversations set updated_at = $2 where id = $1', [id, updatedAt]);
  }

  beforeAll(async () => {
    await insertConversation('conv_1_tie_b', '2026-03-02T09:00:00Z');
    await insertConversation('conv_1_newest', '2026-03-04T09:00:00Z', [
      { content: 'second', minute: 2 },
      { content: 'first', minute: 1 },
      { content: 'answered', minute: 3, sender_type: 'admin' },
    ]);
    await insertConversation('conv_1_oldest', '2026-03-01T09:00:00Z', [
      { status: 'read', minute: 1 },
      { status: 'sent', minute: 2 },
      { status: 'sent', minute: 3 },
      { status: 'sent', minute: 4, sender_type: 'admin' },
      { status: 'odd', minute: 5, content: 'of an unknown status' },
    ]);
    await insertConversation('conv_1_tie_c', '2026-03-02T09:00:00Z', [
      { content: 'tie, lower id' },
      { content: 'tie, higher id' },
    ]);
    await insertConversation('conv_1_tie_a', '2026-03-02T09:00:00Z', [{ status: 'read' }]);
  });

  const list = async () => (await backoffice.superadmin.client.call('conversations.list')).conversations;

  test('section 4.4: conversations are ordered by updated_at descending, ties by id descending', async () => {
    expect((await list()).map(({ id }) => id)).toEqual([
      'conv_1_newest',
      'conv_1_tie_c',
      'conv_1_tie_b',
      'conv_1_tie_a',
      'conv_1_oldest',
    ]);
  });

  test.for<[what: string, id: string, fields: object]>([
    [
      'last_message is the newest message of either side, and last_message_at is its created_at',
      'conv_1_newest',
      { last_message: 'answered', last_message_at: '2026-03-01T09:03:00.000Z', unread_count: 2 },
    ],
    [
      'of two newest messages with the same time, the one with the higher id is the last',
      'conv_1_tie_c',
      { last_message: 'tie, higher id', unread_count: 2 },
    ],
    [
      'unread_count counts only messages of the visitor with status sent',
      'conv_1_oldest',
      { last_message: 'of an unknown status', unread_count: 2 },
    ],
    ['a message that was read is not unread', 'conv_1_tie_a', { last_message: 'Hello', unread_count: 0 }],
    [
      'without messages last_message and last_message_at are null',
      'conv_1_tie_b',
      { last_message: null, last_message_at: null, unread_count: 0 },
    ],
  ])('section 2: %s', async ([, id, fields]) => {
    expect((await list()).find((conversation) => conversation.id === id)).toMatchObject(fields);
  });
});

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
  const before = Date.now();
  const conversation = await create({ ...visitor, subject: 'An invoice', initial_message: 'Once more?' });
  expect(conversation).toEqual({
    ...visitor,
    id: expect.stringMatching(/^conv_\d+_[0-9a-z]{1,7}$/),
    subject: 'An invoice',
    status: 'open',
    created_at: expect.stringMatching(timestampPattern),
    updated_at: conversation?.created_at,
    last_message: 'Once more?',
    last_message_at: expect.stringMatching(timestampPattern),
    unread_count: 1,
  });
  // The id has the creation time in milliseconds.
  for (const time of [conversation?.id.split('_')[1], Date.parse(conversation?.created_at ?? '')].map(
    Number,
  )) {
    expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(time).toBeLessThanOrEqual(Date.now() + 1);
  }
});

test('section 4.5: without a subject and a message, or with empty ones, the fields have their defaults', async () => {
  for (const given of [{}, { subject: '', initial_message: '' }]) {
    const conversation = await create({ ...visitor, ...given });
    const defaults = { subject: '', last_message: null, last_message_at: null, unread_count: 0 };
    expect(conversation).toMatchObject(defaults);
    expect(await messagesOf(conversation?.id)).toEqual([]);
  }
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

test('section 4.5: creating a conversation returns only its id; a request sets neither that nor the status', async () => {
  const given = { ...visitor, id: 'conv_1_a', status: 'closed' };
  const { status, body } = await backoffice.api.post('/conversations', given);
  expect([status, body]).toEqual([
    200,
    { success: true, conversation: { id: expect.stringMatching(/^conv_/) } },
  ]);
  expect(body).not.toMatchObject({ conversation: { id: 'conv_1_a' } });
  expect(await backoffice.sql("select from conversations where status <> 'open'")).toEqual([]);
});
