import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { toCursor } from '../../../src/contract/schemas/lists.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { apiAs, ask, errorResponse } from '../../support/here/requests.ts';
import { fetchAllPages, fetchPage, idsOf, type ListName, lists } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

/** A higher id is newer. */
const issues = [
  { id: 1, title: 'Cart is empty', status: 'Open', severity: 'High', category: 'Payments' },
  { id: 2, title: 'Logo is blurred', status: 'Open', severity: 'Low', category: 'Other' },
  { id: 3, title: 'Card is refused', status: 'Closed', severity: 'High', category: 'Payments' },
  { id: 4, title: 'Cart loses items', status: 'In Progress', severity: 'high', category: 'Shop' },
  { id: 5, title: 'Search is slow', description: 'CART first', steps_to_reproduce: 'Open the shop' },
];

/** Each is newer than the previous one. */
const conversations = [
  { id: 'bill', name: 'Ada Byron', email: 'ada@example.com', subject: 'A bill', status: 'open', unread: 2 },
  { id: 'order', name: 'Bob', email: 'bob@shop.example', subject: 'Order 7', status: 'open', unread: 0 },
  { id: 'refund', name: 'Ada Low', email: 'low@example.com', subject: '', status: 'closed', unread: 1 },
  { id: 'thanks', name: 'Cy', email: 'cy@example.com', subject: 'To ADA', status: 'pending', unread: 0 },
];

/** In order of their start; the last two start at the same time. */
const runs = [
  { run_id: 'r1', source: 'shop.example.org', status: 'succeeded', started_at: '2026-03-01T10:00:00Z' },
  { run_id: 'r2', source: 'news.example.org', status: 'cancelled', started_at: '2026-03-02T10:00:00Z' },
  { run_id: 'r3', source: 'shop.example.org', status: 'failed', started_at: '2026-03-03T10:00:00Z' },
  { run_id: 'r4', source: 'news.example.org', started_at: '2026-03-04T10:00:00Z' },
  { run_id: 'r5', source: 'shop.example.org', started_at: '2026-03-04T10:00:00Z' },
];

beforeAll(async () => {
  await backoffice.sql(
    `insert into issues (id, title, status, severity, category, description, steps_to_reproduce, created_at)
     select id, title, coalesce(status, 'Resolved'), coalesce(severity, 'Low'), coalesce(category, 'Other'),
       coalesce(description, ''), coalesce(steps_to_reproduce, ''), timestamptz '2026-03-01Z' + id * interval '1 hour'
     from json_to_recordset($1) as given (
       id bigint, title text, status text, severity text, category text, description text, steps_to_reproduce text
     )`,
    [JSON.stringify(issues)],
  );
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
  expect((await backoffice.api.post('/scraping-runs', { runs })).status).toBe(200);
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
  ['those with a category', { category: 'Payments' }, [3, 1]],
  ['the one with an id that has leading zeros', { id: '004' }, [4]],
  ['those with a text in the title, the description or the steps', { q: 'cart' }, [5, 4, 1]],
  ['those with words in different fields', { q: 'OPEN slow' }, [5]],
  ['none with a word that is across two fields', { q: 'slowcart' }, []],
  ['those that match two filters', { status: 'Open', severity: 'High' }, [1]],
  ['those that match all filters', { id: '3', status: 'Closed', severity: 'High', q: 'is' }, [3]],
  ['none if no row matches all filters', { id: '3', status: 'Open' }, []],
  ['none with a category that has a space', { category: ' Payments' }, []],
] as const)('a filter of issues returns %s, whole and in pages', async ([, parameters, ids]) => {
  expect(await matching('issues', parameters)).toEqual(ids);
});

test('a filter of issues returns nothing for an id that no issue has', async () => {
  for (const id of ['6', '-1', '1.0', ' 1', '0x1', 'one', '9223372036854775808', '9'.repeat(400)])
    expect(await matching('issues', { id }), id).toEqual([]);
});

test('a filtered row equals the row of the list, and the aggregate covers all issues, whatever the filters', async () => {
  const { rows } = await fetchPage(backoffice, 'issues');
  const filtered = await fetchPage(backoffice, 'issues', { id: '3' });
  expect(filtered).toStrictEqual({ rows: rows.filter(({ id }) => id === 3), nextCursor: undefined });
  const aggregate = await backoffice.api.get('/issues?period=daily');
  expect(await backoffice.api.get('/issues?period=daily&status=Open&q=cart&limit=1')).toEqual(aggregate);
});

test.for([
  ['those with a status', { status: 'open' }, ['order', 'bill']],
  ['those with one of several statuses', { status: 'pending,closed' }, ['thanks', 'refund']],
  ['those with unread visitor messages', { unread: 'true' }, ['refund', 'bill']],
  ['all if unread is false', { unread: 'false' }, ['thanks', 'refund', 'order', 'bill']],
  ['those with a text in the name, e-mail or subject', { q: 'ada' }, ['thanks', 'refund', 'bill']],
  ['those with words in different fields, in any order', { q: 'SHOP. bob' }, ['order']],
  ['the one with a part of its id', { q: 'efun' }, ['refund']],
  ['none with a text of a message', { q: 'Hello' }, []],
  ['those that match all filters', { unread: 'true', status: 'closed', q: 'ada low' }, ['refund']],
  ['none if no row matches all filters', { unread: 'true', status: 'pending' }, []],
] as const)('a filter of conversations returns %s, whole and in pages', async ([, parameters, ids]) => {
  expect(await matching('conversations', parameters)).toEqual(ids);
});

test('count=1 adds how many conversations match, and how many of them have unread messages', async () => {
  for (const [parameters, total, unread_total] of [
    [{}, 4, 2],
    [{ status: 'pending,closed' }, 2, 1],
    [{ unread: 'true' }, 2, 2],
    [{ q: 'ada' }, 3, 2],
    [{ status: 'pending' }, 1, 0],
  ] as const) {
    const path = `/conversations?${new URLSearchParams({ ...parameters, limit: '1', count: '1' })}`;
    expect((await backoffice.api.get(path)).body).toMatchObject({ total, unread_total });
  }
});

test('filtered conversations have the computed fields of the list', async () => {
  const { rows } = await fetchPage(backoffice, 'conversations');
  const filtered = await fetchPage(backoffice, 'conversations', { unread: 'true', limit: 1 });
  expect(filtered.rows).toStrictEqual(rows.filter(({ id }) => id === 'refund'));
  expect(filtered.rows[0]).toMatchObject({ unread_count: 1, last_message: 'Hello' });
});

test.for([
  ['the one with an id', 'run_id=r3', ['r3']],
  ['those with a status', 'status=running', ['r5', 'r4']],
  ['those with a source and a status', 'source=shop.example.org&status=failed', ['r3']],
  ['those with a text in the id or source', 'q=NEWS', ['r4', 'r2']],
  ['none if no run matches', 'source=shop', []],
] as const)('a filter of scraping runs returns %s', async ([, query, ids]) => {
  const { body } = await backoffice.api.get(`/scraping-runs?${query}`);
  expect((body as { runs: { run_id: string }[] }).runs.map(({ run_id }) => run_id)).toEqual(ids);
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
  ['the day after', '2026-03-02', 0],
  ['a time without a zone, in UTC', '2026-03-01T03:00', 3],
  ['a time in another zone', '2026-03-01T06:00:00.001+02:00', 1],
  ['a time with more digits, cut to milliseconds', '2026-03-01T03:00:00.000999Z', 3],
  ['the first year', '0001-01-01', 5],
  ['the last year', '9999-12-31T23:59:59.999Z', 0],
] as const)('a time may be %s, in any zone of the service', async ([, since, count]) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', 'Pacific/Chatham');
  expect(new Date('2026-03-01T10:00').toISOString()).not.toBe('2026-03-01T10:00:00.000Z');
  expect(await matching('issues', { since })).toHaveLength(count);
});

test('times are stored in milliseconds', async () => {
  await backoffice.sql(
    `insert into issues (id, title, category, created_at) values (10, 'Late', 'Late', '2026-03-01T10:00:00.001499Z')`,
  );
  const late = (parameters: object) => matching('issues', { category: 'Late', ...parameters });
  expect(await late({ since: '2026-03-01T10:00:00.001Z' })).toHaveLength(1);
  expect(await late({ since: '2026-03-01T10:00:00.002Z' })).toEqual([]);
  expect(await late({ until: '2026-03-01T10:00:00.002Z' })).toHaveLength(1);
  expect(await late({ until: '2026-03-01T10:00:00.001Z' })).toEqual([]);
});

describe('the pages of a list', () => {
  /** Characters that JSON escapes, and characters that it does not. */
  const text = 'é 🐛 "quoted" \\ / </script> \u0001 \t\n \u2028';
  const time = '2026-03-01T09:30:00.123Z';

  beforeAll(async () => {
    await backoffice.sql('truncate issues, conversations cascade');
    await backoffice.sql(
      `insert into issues (id, title, description, created_at, updated_at) values (1007, $1, $1, $2, $2), (1008, $1, '', $2, $2)`,
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

  describe('the bytes of the contract', () => {
    const times = { created_at: time, updated_at: time };
    const issue = (id: number, description: string) => ({
      ...{ id, title: text, category: 'Other', severity: 'Low' },
      ...{ description, steps_to_reproduce: '', status: 'Open', ...times },
    });
    const conversation = (id: string, message: string | null) => ({
      ...{ id, visitor_email: 'v@example.com', visitor_name: text, subject: '', status: 'open', ...times },
      last_message: message,
      last_message_at: message === null ? null : time,
      unread_count: message === null ? 0 : 1,
    });
    const issues = [issue(1008, ''), issue(1007, text)];
    const conversations = [conversation('conv_2', text), conversation('conv_1', null)];

    test.for([
      ['issues?period=&q=&limit=', { issues }],
      ['conversations?unread=&cursor=', { conversations }],
      ['issues?limit=2', { issues, nextCursor: null }],
      ['conversations?limit=2', { conversations, nextCursor: null }],
    ] as const)('are those of the list, and of a page, which has nextCursor: %s', async ([path, answer]) => {
      const { text } = await ask(backoffice.service, `/api/admin/${path}`, { as: backoffice.superadmin });
      expect(text).toBe(JSON.stringify(answer));
    });
  });

  describe('a cursor', () => {
    /** Ids that the service never creates, but that an operator's own INSERT may. */
    const ids = ['ø', '🐛', 'Ω%00"\\', ' '];

    beforeAll(async () => {
      await backoffice.sql(
        `insert into conversations (id, visitor_name, visitor_email, updated_at) select id, '', '', $2 from unnest($1::text[]) as id`,
        [ids, time],
      );
      await backoffice.sql(`insert into issues (title) select 'Paged' from generate_series(1, 10)`);
    });

    const cursorOf = async (name: ListName) =>
      String((await fetchPage(backoffice, name, { limit: 2 })).nextCursor);

    const send = (name: ListName, cursor: string) =>
      backoffice.api.get(`/${name}?limit=2&cursor=${encodeURIComponent(cursor)}`);

    test('of another list is 400', async () => {
      const refused = errorResponse(400, 'cursor must be the nextCursor of an earlier page.');
      expect(await send('issues', await cursorOf('conversations'))).toEqual(refused);
      expect(await send('conversations', await cursorOf('issues'))).toEqual(refused);
    });

    test.for(lists)('of the %s is never a 500, whatever time and id it has', async (name) => {
      const times = fc.oneof(
        fc.constantFrom('2026-03-01T09:30:00.000000Z', '9999-12-31T23:59:59.999999Z'),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString().replace('Z', '000Z')),
        fc.string(),
      );
      const anyId = fc.oneof(fc.integer(), fc.double(), fc.string({ unit: anyCharacter }), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(times, anyId, async (at, id) => {
          expect([200, 400]).toContain((await send(name, toCursor([at, id as string]))).status);
        }),
        { numRuns: isSlowRun ? 150 : 30 },
      );
    });

    test('may have an id of any characters', async () => {
      const rows = await fetchAllPages(backoffice, 'conversations', { limit: 1 });
      expect(rows.map(({ id }) => id)).toEqual(await idsOf(backoffice, 'conversations'));
      expect(rows).toHaveLength(ids.length + 2);
    });

    describe('on a database with another date style and time zone', () => {
      beforeAll(async () => {
        const name = new URL(backoffice.service.databaseUrl).pathname.slice(1);
        await backoffice.sql(`alter database "${name}" set datestyle = 'SQL, DMY'`);
        await backoffice.sql(`alter database "${name}" set timezone = 'Pacific/Chatham'`);
      });

      const otherService = instanceHere(backoffice);

      test.for(lists)('is the same position in the %s', async (name) => {
        const other = { api: apiAs(otherService.url, backoffice.superadmin) };
        const { nextCursor } = await fetchPage(other, name, { limit: 2 });
        expect(nextCursor).toBe(await cursorOf(name));
        expect(await fetchAllPages(other, name, { limit: 3 })).toEqual(
          (await fetchPage(backoffice, name)).rows,
        );
      });
    });
  });
});
