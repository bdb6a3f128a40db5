import { beforeAll, describe, expect, test } from 'vitest';
import { errorResponse } from '../../../support/here/requests.ts';
import { fetchPage, idsOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

/** Each is newer than the previous one. */
const conversations = [
  { id: 'bill', name: 'Ada Byron', email: 'ada@example.com', subject: 'A bill', status: 'open', unread: 2 },
  { id: 'order', name: 'Bob', email: 'bob@shop.example', subject: 'Order 7', status: 'open', unread: 0 },
  { id: 'refund', name: 'Ada Low', email: 'low@example.com', subject: '', status: 'closed', unread: 1 },
  { id: 'thanks', name: 'Cy', email: 'cy@example.com', subject: 'To ADA', status: 'pending', unread: 0 },
];

beforeAll(async () => {
  for (const [hour, { id, name, email, subject, status, unread }] of conversations.entries()) {
    await backoffice.sql(
      `insert into conversations (id, visitor_name, visitor_email, subject) values ($1, $2, $3, $4)`,
      [id, name, email, subject],
    );
    await backoffice.sql(
      `insert into conversation_messages (conversation_id, sender_type, content, status)
       select $1, 'visitor', 'Hello', 'sent' from generate_series(1, $2)
       union all values ($1, 'admin', 'Hello', 'sent'), ($1, 'visitor', 'Hello', 'read')`,
      [id, unread],
    );
    await backoffice.sql(
      `update conversations set status = $2, updated_at = timestamptz '2026-03-01Z' + make_interval(hours => $3)
       where id = $1`,
      [id, status, hour],
    );
  }
});

const matching = (parameters: Record<string, string>) => idsOf(backoffice, 'conversations', parameters);
const all = ['thanks', 'refund', 'order', 'bill'];

describe('a filter of conversations returns', () => {
  test.for([
    ['those with a status', { status: 'open' }, ['order', 'bill']],
    ['those of another status', { status: 'pending' }, ['thanks']],
    ['those with one of several statuses', { status: 'pending,closed' }, ['thanks', 'refund']],
    ['those with unread visitor messages', { unread: 'true' }, ['refund', 'bill']],
    ['all if unread is false', { unread: 'false' }, all],
    ['those with a text in the name, e-mail or subject', { q: 'ada' }, ['thanks', 'refund', 'bill']],
    ['those with a text in the e-mail', { q: '@SHOP.' }, ['order']],
    ['those with words in different fields, in any order', { q: 'Byron ada' }, ['bill']],
    ['the one with a part of its id', { q: 'efun' }, ['refund']],
    ['those that match two filters', { unread: 'true', status: 'open' }, ['bill']],
    ['those that match all filters', { unread: 'true', status: 'closed', q: 'ada low' }, ['refund']],
    ['none if no row matches all filters', { unread: 'true', status: 'pending' }, []],
  ] as const)('%s', async ([, parameters, ids]) => {
    expect(await matching(parameters)).toEqual(ids);
  });

  test.for([
    [{}, 4, 2],
    [{ status: 'open' }, 2, 1],
    [{ status: 'pending,closed' }, 2, 1],
    [{ unread: 'true' }, 2, 2],
    [{ q: 'ada' }, 3, 2],
    [{ status: 'pending' }, 1, 0],
  ] as const)('with count=1, how many there are and how many have unread messages: %j', async (given) => {
    const [parameters, total, unread_total] = given;
    const path = `/conversations?${new URLSearchParams({ ...parameters, limit: '1', count: '1' })}`;
    expect((await backoffice.api.get(path)).body).toMatchObject({ total, unread_total });
  });

  test.for([
    ['q', 'nowhere'],
    ['q', 'Hello'],
    ['q', 'ada nowhere'],
  ] as const)('nothing for an unknown value: %s=%s', async ([name, value]) => {
    expect(await matching({ [name]: value })).toEqual([]);
  });

  test.for(['status', 'unread', 'q', 'since', 'until', 'limit', 'cursor'])(
    'everything if it is empty: %s',
    async (name) => {
      expect(await matching({ [name]: '' })).toEqual(all);
    },
  );
});

test.for(['yes', '1', 'TRUE', ' true', 'null'])('unread must be true or false, not %j', async (value) => {
  expect(await backoffice.api.get(`/conversations?unread=${value}`)).toEqual(
    errorResponse(400, 'unread must be true or false.'),
  );
});

test('a filtered row has the computed fields of the list', async () => {
  const { rows } = await fetchPage(backoffice, 'conversations');
  const filtered = await fetchPage(backoffice, 'conversations', { unread: 'true', limit: 1 });
  expect(filtered.rows).toStrictEqual(rows.filter(({ id }) => id === 'refund'));
  expect(filtered.rows[0]).toMatchObject({ unread_count: 1, last_message: 'Hello' });
});
