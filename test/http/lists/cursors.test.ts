import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiAs, errorResponse } from '../../support/here/requests.ts';
import { fetchAllPages, fetchPage, idsOf, type ListName, lists, rowsOf } from '../../support/here/rows.ts';
import { backofficeHere, startTestService, type TestService } from '../../support/here.ts';

const backoffice = backofficeHere();
const refused = errorResponse(400, 'cursor must be the nextCursor of an earlier page.');

/** Ids that the service never creates, but that an operator's own INSERT may. */
const ids = ['conv_1', 'conv_2', 'ø', '🐛', 'Ω%00"\\', ' '];
const at = '2026-03-01T09:30:00.000000Z';

/** Encodes Latin-1 as a cursor does. */
const base64url = (text: string) => Buffer.from(text, 'latin1').toString('base64url');
const encode = (position: unknown) => base64url(encodeURIComponent(JSON.stringify(position)));

beforeAll(async () => {
  await backoffice.sql(
    `insert into conversations (id, visitor_name, visitor_email, updated_at) select id, '', '', $2 from unnest($1::text[]) as id`,
    [ids, at],
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

describe.for(lists)('a cursor of the $rows', ({ rows: name }) => {
  const id = name === 'issues' ? 1 : 'conv_1';
  const other = name === 'issues' ? 'conversations' : 'issues';

  test('needs no escaping in a URL', async () => {
    for (const { nextCursor } of await fetchAllPages(backoffice, name, { limit: 1 })) {
      expect(nextCursor ?? '').toMatch(/^[\w-]*$/);
    }
  });

  test('of another list is 400', async () => {
    expect(await send(name, await cursorOf(other))).toEqual(refused);
  });

  test('that is truncated or changed in one character is 400 or another position, never a 500', async () => {
    const cursor = await cursorOf(name);
    for (let index = 0; index < cursor.length; index++) {
      for (const changed of [
        cursor.slice(0, index),
        `${cursor.slice(0, index)}_${cursor.slice(index + 1)}`,
      ]) {
        if (changed !== '') expect([200, 400]).toContain((await send(name, changed)).status);
      }
    }
  });

  const broken: readonly [what: string, cursor: string][] = [
    ['is junk', 'junk'],
    ['is one character', 'a'],
    ['is not base64', '!!!'],
    ['is Unicode', '🐛é'],
    ['is very long', 'A'.repeat(8_000)],
    ['is a broken percent sign', base64url('%')],
    ['is not UTF-8', base64url('%ff%fe')],
    ['is not JSON', base64url('{')],
    ['is not a pair', encode({ at, id })],
    ['is null', encode(null)],
    ['lacks its id', encode([at])],
    ['has more than an id', encode([at, id, id])],
    ['has the id before the time', encode([id, at])],
    ['has an id that is null', encode([at, null])],
    ['has an id that is a list', encode([at, [id]])],
    ['has an id with a NUL', encode([at, '\0'])],
    ['has an id that is not an integer', encode([at, 1.5])],
    ['has an id out of range', encode([at, 1e300])],
    ['has a time that is a number', encode([0, id])],
    ['has no day', encode(['T09:30:00.000000Z', id])],
    ['has an invalid day', encode(['2026-02-31T09:30:00.000000Z', id])],
    ['has an invalid month', encode(['9999-99-99T00:00:00.000000Z', id])],
    ['has an invalid hour', encode(['2026-03-01T99:00:00.000000Z', id])],
    ['has an invalid minute', encode(['2026-03-01T09:60:00.000000Z', id])],
    ['has the year 0', encode(['0000-01-01T00:00:00.000000Z', id])],
    ['has a year of five digits', encode(['99999-01-01T00:00:00.000000Z', id])],
    ['has a time that only Postgres parses', encode(['2026-03-01 09:30:00+00', id])],
    ['has a word for a time', encode(['infinity', id])],
    ['has SQL', encode(["now()'; drop table issues; --", id])],
  ];

  test.for(broken)('that %s is 400', async ([, cursor]) => {
    expect(await send(name, cursor)).toEqual(refused);
  });

  test('that is well-formed but invented is a position in the list', async () => {
    expect((await send(name, encode(['9999-12-31T23:59:59.999999Z', id]))).body).toMatchObject({
      [name]: [expect.anything(), expect.anything()],
    });
    expect((await send(name, encode(['0001-01-01T00:00:00.000000Z', id]))).body).toEqual({
      [name]: [],
      nextCursor: null,
    });
  });

  test('is never a 500, whatever time and id it has', async () => {
    const times = fc.oneof(
      fc.constantFrom(at, '9999-12-31T23:59:59.999999Z'),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().replace('Z', '000Z')),
      fc.string(),
    );
    const anyId = fc.oneof(fc.integer(), fc.double(), fc.string({ unit: 'binary' }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(times, anyId, async (...position) => {
        expect([200, 400]).toContain((await send(name, encode(position))).status);
      }),
      { numRuns: 150 },
    );
  });
});

test('an id may have any characters', async () => {
  const rows = rowsOf(await fetchAllPages(backoffice, 'conversations', { limit: 1 }));
  expect(rows.map(({ id }) => id)).toEqual(await idsOf(backoffice, 'conversations'));
  expect(rows).toHaveLength(ids.length);
});

describe('on a database with another date style and time zone', () => {
  let otherService: TestService;

  beforeAll(async () => {
    const name = new URL(backoffice.service.databaseUrl).pathname.slice(1);
    await backoffice.sql(`alter database "${name}" set datestyle = 'SQL, DMY'`);
    await backoffice.sql(`alter database "${name}" set timezone = 'Pacific/Chatham'`);
    otherService = await startTestService({ DATABASE_URL: backoffice.service.databaseUrl });
  });

  afterAll(() => otherService?.stop());

  test.for(lists)('a cursor is the same position in the $rows', async ({ rows: name }) => {
    const other = { api: apiAs(otherService.url, backoffice.superadmin) };
    const { nextCursor } = await fetchPage(other, name, { limit: 2 });
    expect(nextCursor).toBe(await cursorOf(name));
    expect(rowsOf(await fetchAllPages(other, name, { limit: 3 }))).toEqual(
      (await fetchPage(backoffice, name)).rows,
    );
  });
});
