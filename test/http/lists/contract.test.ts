import { beforeAll, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Characters that JSON escapes, and characters that it does not. */
const text = 'é 🐛 "quoted" \\ / </script> \u0001 \t\n \u2028';
const time = '2026-03-01T09:30:00.123Z';

beforeAll(async () => {
  await backoffice.sql(
    `insert into issues (id, title, description, created_at, updated_at) values (7, $1, $1, $2, $2), (8, $1, '', $2, $2)`,
    [text, time],
  );
  await backoffice.sql(
    `insert into conversations (id, visitor_name, visitor_email, created_at, updated_at)
     values ('conv_2', $1, 'v@example.com', $2, $2), ('conv_1', $1, 'v@example.com', $2, $2)`,
    [text, time],
  );
  await backoffice.sql(
    `insert into conversation_messages (conversation_id, sender_type, content, created_at)
     values ('conv_2', 'visitor', $1, $2)`,
    [text, time],
  );
});

const issue = (id: number, description: string) => ({
  id,
  title: text,
  category: 'Other',
  severity: 'Low',
  description,
  steps_to_reproduce: '',
  status: 'Open',
  created_at: time,
  updated_at: time,
});
const conversation = (id: string, message: string | null) => ({
  id,
  visitor_email: 'v@example.com',
  visitor_name: text,
  subject: '',
  status: 'open',
  created_at: time,
  updated_at: time,
  last_message: message,
  last_message_at: message === null ? null : time,
  unread_count: message === null ? 0 : 1,
});

const issues = [issue(8, ''), issue(7, text)];
const conversations = [conversation('conv_2', text), conversation('conv_1', null)];

async function bytesOf(path: string): Promise<string> {
  const { cookie } = backoffice.superadmin;
  return await (await backoffice.service.fetch(`/api/admin/${path}`, { headers: { cookie } })).text();
}

test.for([
  ['issues', { issues }],
  ['issues?period=&q=&limit=', { issues }],
  ['conversations', { conversations }],
  ['conversations?unread=&cursor=', { conversations }],
] as const)(
  'without parameters the response matches the contract to the byte: %s',
  async ([path, answer]) => {
    expect(await bytesOf(path)).toBe(JSON.stringify(answer));
  },
);

test.for([
  ['issues', { issues, nextCursor: null }],
  ['conversations', { conversations, nextCursor: null }],
] as const)('a page has the same bytes, followed by nextCursor: %s', async ([path, answer]) => {
  expect(await bytesOf(`${path}?limit=2`)).toBe(JSON.stringify(answer));
});
