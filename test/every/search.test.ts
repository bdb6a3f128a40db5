import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/registry.ts';
import { backofficeHere } from '../support/here.ts';

const backoffice = backofficeHere();

/** Answers that have rows, but no rows that somebody would search: figures, or the few things of one person. */
const withoutSearch: readonly OperationId[] = [
  'conversations.history',
  'events.list',
  'factors.list',
  'factors.listOfAdmin',
  'invitations.list',
  'issues.history',
  'issues.trend',
  'scrapingRuns.errors',
  'sessions.listOwn',
  'settings.show',
  'views.list',
  'visitors.export',
];

/** How to insert a row with a text into each list, where needed with what it belongs to, and the parameters to list it. */
const rows: Readonly<Record<string, readonly [insert: string, parameters?: string]>> = {
  'issues.list': [`insert into issues (title) values ($1)`],
  'conversations.list': [`insert into conversations (visitor_email, visitor_name) values ('', $1)`],
  'messages.list': [
    `with conversation as (
       insert into conversations (id, visitor_email, visitor_name) values ('conv_thread', '', '')
       on conflict (id) do update set subject = '' returning id
     )
     insert into conversation_messages (conversation_id, sender_type, content) select id, 'visitor', $1 from conversation`,
    '&conversation_id=conv_thread',
  ],
  'comments.list': [
    `with issue as (insert into issues (id, title) values (1000, '') on conflict (id) do update set title = '' returning id)
     insert into comments (issue_id, content) select id, $1 from issue`,
    '&issue_id=1000',
  ],
  'savedReplies.list': [
    `insert into saved_replies (shortcut, title, content) values ('s' || length($1), $1, 'Content')`,
  ],
  'labels.list': [`insert into labels (name) values (translate($1, ',', ' '))`],
  'links.list': [
    `with issue as (insert into issues (title) values ($1) returning id),
       conversation as (insert into conversations (visitor_email, visitor_name) values ('', '') returning id)
     insert into issue_links (issue_id, conversation_id) select issue.id, conversation.id from issue, conversation`,
  ],
  'scrapingRuns.list': [`insert into scraping_runs (source) values ($1)`],
  'admins.list': [`insert into admins (email, username) values ('admin' || length($1), $1)`],
  'sessions.list': [
    `with admin as (insert into admins (email, username) values ($1, '') returning id)
     insert into sessions (sid, sess, expire)
     select id, json_build_object('adminId', id), now() + interval '1 hour' from admin`,
  ],
  'tokens.list': [
    `insert into api_tokens (name, token_hash, role) values ($1, sha256($1::text::bytea), 'user')`,
  ],
  'audit.list': [
    `insert into audit_records (id, event, operation, actor_kind, actor_name, door, after)
     values (length($1), 'issue.created', 'issues.create', 'admin', 'a', 'http', json_build_object('title', $1::text))`,
  ],
  'webhooks.list': [`insert into webhooks (url, secret, description) values ('https://example.com', '', $1)`],
  'webhooks.deliveries': [
    `insert into webhook_deliveries (webhook_id, message_id, type, payload, status, error, next_attempt_at)
     values (1, 'evt_1', 'issue.created', '{}', 'failed', $1, null)`,
  ],
};

/** The lists of the registry: what answers an array of objects. */
const lists = (operations as readonly Operation[]).filter(
  ({ id, method, output, answers }) =>
    method === 'GET' &&
    answers === undefined &&
    !(withoutSearch as readonly string[]).includes(id) &&
    arraysOf(z.toJSONSchema(output, { unrepresentable: 'any' })).length > 0,
);

/** Returns the names of the fields that are arrays of objects, in any form of an answer. */
function arraysOf(schema: z.core.JSONSchema.BaseSchema): string[] {
  const forms = [schema, ...(schema.anyOf ?? [])];
  return forms.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, field]) =>
      typeof field === 'object' && field.type === 'array' ? [name] : [],
    ),
  );
}

beforeAll(async () => {
  for (const [id, [insert]] of Object.entries(rows)) {
    for (const text of [`Crossing, Zébra in ${id}`, 'Something else']) await backoffice.sql(insert, [text]);
  }
});

test('every list of the registry is tested here', () => {
  expect(lists.map(({ id }) => id).sort()).toEqual(Object.keys(rows).sort());
});

describe.for(lists)('$id', ({ id, path, output }) => {
  const [, parameters = ''] = rows[id] ?? [];
  const [field = ''] = arraysOf(z.toJSONSchema(output, { unrepresentable: 'any' }));

  async function search(q: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const query = `?q=${encodeURIComponent(q)}${parameters}`;
    const { status, body } = await backoffice.api.get(path.replace('/api/admin', '') + query);
    return { status, body: body as Record<string, unknown> };
  }

  test('finds words in any order, inside words, without case and accents, and all without a word', async () => {
    const { status, body } = await search(`ZEBRA ${id} röss`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body[field]).toHaveLength(1);
    if (id === 'admins.list') expect(body.pagination).toMatchObject({ total: 1, totalPages: 1 });
    expect((await search('zebra nowhere')).body[field]).toEqual([]);
    expect(((await search(' ')).body[field] as unknown[]).length).toBeGreaterThan(1);
  });
});
