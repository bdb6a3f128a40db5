import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { toCursor } from '../../../src/contract/schemas/lists.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { fetchAllPages, fetchPage, idsOf, type ListName, lists } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

/** Characters that JSON escapes, and characters that it does not. */
const text = 'é 🐛 "quoted" \\ / </script> \u0001 \t\n \u2028';
const time = '2026-03-01T09:30:00.123Z';

beforeAll(async () => {
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
  const issues = [issue(1008, ''), issue(1007, text)];
  const conversations = [conversation('conv_2', text), conversation('conv_1', null)];

  test.for([
    ['issues', { issues }],
    ['issues?period=&q=&limit=', { issues }],
    ['conversations', { conversations }],
    ['conversations?unread=&cursor=', { conversations }],
    ['issues?limit=2', { issues, nextCursor: null }],
    ['conversations?limit=2', { conversations, nextCursor: null }],
  ] as const)('are those of the list, and of a page, which has nextCursor: %s', async ([path, answer]) => {
    const { cookie } = backoffice.superadmin;
    const response = await backoffice.service.fetch(`/api/admin/${path}`, { headers: { cookie } });
    expect(await response.text()).toBe(JSON.stringify(answer));
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

  async function cursorOf(name: ListName): Promise<string> {
    const { nextCursor } = await fetchPage(backoffice, name, { limit: 2 });
    if (typeof nextCursor !== 'string') throw new Error('There is only one page.');
    return nextCursor;
  }

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
