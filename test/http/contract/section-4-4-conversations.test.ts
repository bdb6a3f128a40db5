import { beforeAll, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

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
const find = async (id: string) => (await list()).find((conversation) => conversation.id === id);

test('section 4.4: conversations are ordered by updated_at descending, ties by id descending', async () => {
  expect((await list()).map(({ id }) => id)).toEqual([
    'conv_1_newest',
    'conv_1_tie_c',
    'conv_1_tie_b',
    'conv_1_tie_a',
    'conv_1_oldest',
  ]);
});

test('section 4.4: the answer has the conversations and no other field', async () => {
  const { status, body } = await backoffice.api.get('/conversations');
  expect(status).toBe(200);
  expect(Object.keys(body as object)).toEqual(['conversations']);
});

test('section 2: last_message is the newest message of either side, and last_message_at is its created_at', async () => {
  expect(await find('conv_1_newest')).toMatchObject({
    last_message: 'answered',
    last_message_at: '2026-03-01T09:03:00.000Z',
    unread_count: 2,
  });
});

test('section 2: of two newest messages with the same time, the one with the higher id is the last', async () => {
  expect(await find('conv_1_tie_c')).toMatchObject({ last_message: 'tie, higher id', unread_count: 2 });
});

test('section 2: unread_count counts only messages of the visitor with status sent', async () => {
  expect(await find('conv_1_oldest')).toMatchObject({
    unread_count: 2,
    last_message: 'of an unknown status',
  });
  expect(await find('conv_1_tie_a')).toMatchObject({ unread_count: 0, last_message: 'Hello' });
});

test('section 2: without messages last_message and last_message_at are null', async () => {
  expect(await find('conv_1_tie_b')).toMatchObject({
    last_message: null,
    last_message_at: null,
    unread_count: 0,
  });
});

test('section 4.4: a new conversation comes first in the list', async () => {
  const { client } = backoffice.superadmin;
  const { conversation } = await client.call('conversations.create', {
    visitor_email: 'new@example.com',
    visitor_name: 'New',
  });
  expect((await list())[0]?.id).toBe(conversation.id);
  await backoffice.sql('delete from conversations where id = $1', [conversation.id]);
});

test('section 4.4: unknown parameters change nothing', async () => {
  expect(await backoffice.api.get('/conversations?nothing=1&page=2')).toEqual(
    await backoffice.api.get('/conversations'),
  );
});
