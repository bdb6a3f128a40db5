import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ask, errorResponse } from '../../support/here/requests.ts';
import { fetchAllPages, fetchPage, idsOf, type ListName } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

beforeAll(async () => {
  // The last of each is the newest.
  await backoffice.sql(`
    insert into issues (id, title, status, severity, category, description, steps_to_reproduce, created_at)
    select given.*, timestamptz '2026-03-01Z' + column1 * interval '1 hour' from (values
      (1, 'Cart is empty', 'Open', 'High', 'Payments', '', ''),
      (2, 'Logo is blurred', 'Open', 'Low', 'Other', '', ''),
      (3, 'Card is refused', 'Closed', 'High', 'Payments', '', ''),
      (4, 'Cart loses items', 'In Progress', 'high', 'Shop', '', ''),
      (5, 'Search is slow', 'Resolved', 'Low', 'Other', 'CART first', 'Open the shop')
    ) as given;
    insert into conversations (id, visitor_name, visitor_email, subject) values
      ('bill', 'Ada Byron', 'ada@example.com', 'A bill'),
      ('order', 'Bob', 'bob@shop.example', 'Order 7'),
      ('refund', 'Ada Low', 'low@example.com', ''),
      ('thanks', 'Cy', 'cy@example.com', 'To ADA');
    insert into conversation_messages (conversation_id, sender_type, content, status)
    select id, sender_type, 'Hello', message.status
    from conversations cross join (values ('admin', 'sent'), ('visitor', 'read')) as message (sender_type, status)
    union all select unnest(array['bill', 'bill', 'refund']), 'visitor', 'Hello', 'sent';
    update conversations set status = given.status, updated_at = timestamptz '2026-03-01Z' + given.at
    from (values ('bill', 'open', interval '0'), ('order', 'open', '1 hour'), ('refund', 'closed', '2 hours'),
      ('thanks', 'pending', '3 hours')) as given (id, status, at)
    where conversations.id = given.id;
  `);
});

/** Returns the ids of the matching rows, once they are the same page by page. */
async function matching(name: ListName, parameters: Record<string, string>) {
  const ids = await idsOf(backoffice, name, parameters);
  const paged = await fetchAllPages(backoffice, name, { ...parameters, limit: 1 });
  expect(paged.map(({ id }) => id)).toEqual(ids);
  return ids;
}

test.for([
  ['those with a status of two words', { status: 'In Progress' }, [4]],
  ['those with one of several statuses, in any order', { status: ',Closed,Open,' }, [3, 2, 1]],
  ['those with a severity, case-sensitively', { severity: 'High' }, [3, 1]],
  ['those with one of several severities', { severity: 'high,High,Unheard of' }, [4, 3, 1]],
  ['the one with an id that has leading zeros', { id: '004' }, [4]],
  ['those with a text in the title, the description or the steps', { q: 'cart' }, [5, 4, 1]],
  ['those with words in different fields', { q: 'OPEN slow' }, [5]],
  ['those that match all filters', { id: '3', status: 'Closed', severity: 'High', q: 'is' }, [3]],
  ['none with a category that has a space', { category: ' Payments' }, []],
] as const)('a filter of issues returns %s, whole and in pages', async ([, parameters, ids]) => {
  expect(await matching('issues', parameters)).toEqual(ids);
});

test('a filter of issues returns nothing for an id that no issue has', async () => {
  for (const id of ['6', '-1', '1.0', ' 1', '0x1', 'one', '9223372036854775808', '9'.repeat(400)])
    expect(await matching('issues', { id }), id).toEqual([]);
});

test('the aggregate covers all issues, whatever the filters', async () => {
  const aggregate = await backoffice.api.get('/issues?period=daily');
  expect(await backoffice.api.get('/issues?period=daily&status=Open&q=cart&limit=1')).toEqual(aggregate);
});

test.for([
  ['those with a status', { status: 'open' }, ['order', 'bill']],
  ['those with unread visitor messages', { unread: 'true' }, ['refund', 'bill']],
  ['those with a text in the name, e-mail or subject', { q: 'ada' }, ['thanks', 'refund', 'bill']],
  ['those with words in different fields, in any order', { q: 'SHOP. bob' }, ['order']],
  ['the one with a part of its id', { q: 'efun' }, ['refund']],
  ['none with a text of a message', { q: 'Hello' }, []],
  ['those that match all filters', { unread: 'true', status: 'closed', q: 'ada low' }, ['refund']],
] as const)('a filter of conversations returns %s, whole and in pages', async ([, parameters, ids]) => {
  expect(await matching('conversations', parameters)).toEqual(ids);
});

test('count=1 adds how many conversations match, and how many of them have unread messages', async () => {
  for (const [parameters, total, unread_total] of [
    [{}, 4, 2],
    [{ status: 'pending,closed' }, 2, 1],
    [{ status: 'pending' }, 1, 0],
  ] as const) {
    const path = `/conversations?${new URLSearchParams({ ...parameters, limit: '1', count: '1' })}`;
    expect((await backoffice.api.get(path)).body).toMatchObject({ total, unread_total });
  }
});

test('a value that a closed set lacks is 400 with the nearest', async () => {
  const statuses = 'status must be one of: Open, In Progress, Resolved, Closed.';
  for (const [path, error] of [
    ['issues?status=open', `${statuses} Did you mean Open?`],
    ['issues?status=Open,in%20progress', `${statuses} Did you mean In Progress?`],
    ['issues?status=Nonsense%20words', statuses],
    ['audit?door=htpp', 'door must be one of: http, cli, tui, mcp, job. Did you mean http?'],
  ])
    expect(await backoffice.api.get(`/${path}`)).toEqual(errorResponse(400, String(error)));
});

test.for([
  ['a day, from its first instant in UTC', '2026-03-01', 5],
  ['a time without a zone, in UTC', '2026-03-01T03:00', 3],
  ['a time in another zone', '2026-03-01T06:00:00.001+02:00', 1],
  ['the last year', '9999-12-31T23:59:59.999Z', 0],
] as const)('a time may be %s, in any zone of the service', async ([, since, count]) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', 'Pacific/Chatham');
  expect(new Date('2026-03-01T10:00').toISOString()).not.toBe('2026-03-01T10:00:00.000Z');
  expect(await matching('issues', { since })).toHaveLength(count);
});

describe('the pages of a list', () => {
  /** Characters that JSON escapes, and characters that it does not. */
  const text = 'é 🐛 "quoted" \\ / </script> \u0001 \t\n \u2028';
  const time = '2026-03-01T09:30:00.123Z';

  beforeAll(async () => {
    await backoffice.sql('truncate issues, conversations cascade');
    for (const insert of [
      `insert into issues (id, title, description, created_at, updated_at)
       values (1007, $1, $1, $2, $2), (1008, $1, '', $2, $2)`,
      `insert into conversations (id, visitor_name, visitor_email, created_at, updated_at)
       values ('conv_2', $1, 'v@example.com', $2, $2), ('conv_1', $1, 'v@example.com', $2, $2)`,
      `insert into conversation_messages (conversation_id, sender_type, content, created_at)
       values ('conv_2', 'visitor', $1, $2)`,
    ])
      await backoffice.sql(insert, [text, time]);
  });

  test('have the bytes of the contract, and nextCursor after the other fields', async () => {
    const times = { created_at: time, updated_at: time };
    const issue = (id: number, description: string) => ({
      id,
      title: text,
      category: 'Other',
      severity: 'Low',
      description,
      steps_to_reproduce: '',
      status: 'Open',
      ...times,
    });
    const conversation = (id: string, ofMessage: object) => ({
      id,
      visitor_email: 'v@example.com',
      visitor_name: text,
      subject: '',
      status: 'open',
      ...times,
      ...ofMessage,
    });
    const issues = [issue(1008, ''), issue(1007, text)];
    const conversations = [
      conversation('conv_2', { last_message: text, last_message_at: time, unread_count: 1 }),
      conversation('conv_1', { last_message: null, last_message_at: null, unread_count: 0 }),
    ];
    for (const [path, answer] of [
      ['issues?period=&q=&limit=', { issues }],
      ['conversations?unread=&cursor=', { conversations }],
      ['issues?limit=2', { issues, nextCursor: null }],
      ['conversations?limit=2', { conversations, nextCursor: null }],
    ] as const) {
      const { text } = await ask(backoffice.service, `/api/admin/${path}`, { as: backoffice.superadmin });
      expect(text).toBe(JSON.stringify(answer));
    }
  });

  test('have a cursor that is 400 in another list', async () => {
    const cursorOf = async (name: ListName) =>
      String((await fetchPage(backoffice, name, { limit: 1 })).nextCursor);
    const send = (name: ListName, cursor: string) => backoffice.api.get(`/${name}?limit=1&cursor=${cursor}`);
    const refused = errorResponse(400, 'cursor must be the nextCursor of an earlier page.');
    expect(await send('issues', await cursorOf('conversations'))).toEqual(refused);
    expect(await send('conversations', await cursorOf('issues'))).toEqual(refused);
  });
});
