import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse } from '../../support/here/requests.ts';
import { fetchPage, idsOf, lists } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

/** Inserts a row into either list. */
async function insert(rows: (typeof lists)[number]['rows'], text: string, at = '2026-03-01Z'): Promise<void> {
  await (rows === 'issues'
    ? backoffice.sql('insert into issues (title, created_at) values ($1, $2)', [text, at])
    : backoffice.sql(
        `insert into conversations (visitor_name, visitor_email, updated_at) values ($1, '', $2)`,
        [text, at],
      ));
}

describe.for(lists)('q of the $rows', ({ rows }) => {
  const texts = ['100% sure', '100 times sure', 'a_b', 'axb', 'C:\\temp', 'C:temp', 'ÄRGER', "it's", '🐛'];
  const field = rows === 'issues' ? 'title' : 'visitor_name';

  beforeAll(async () => {
    for (const text of texts) await insert(rows, text);
  });

  test.for([
    ['0%', ['100% sure']],
    ['%', ['100% sure']],
    ['a_', ['a_b']],
    ['a_b', ['a_b']],
    ['\\', ['C:\\temp']],
    ['\\temp', ['C:\\temp']],
    ['%\\', []],
    ['ärger', ['ÄRGER']],
    ["'", ["it's"]],
    ['🐛', ['🐛']],
    ['sure 100', ['100 times sure', '100% sure']],
  ] as const)('is plain text, not a pattern: %j', async ([q, found]) => {
    const { rows: matching } = await fetchPage(backoffice, rows, { q });
    expect(matching.map((row) => row[field as keyof typeof row]).sort()).toEqual(found);
  });
});

describe.for(lists)('since and until of the $rows', ({ rows, time }) => {
  const at = ['2026-03-01T09:59:59.999Z', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.001Z'];

  beforeEach(async () => {
    await backoffice.sql(`truncate ${rows} cascade`);
    for (const instant of at) await insert(rows, instant, instant);
    // Times are stored in milliseconds.
    await insert(rows, 'late', '2026-03-01T10:00:00.001499Z');
  });

  afterEach(() => vi.unstubAllEnvs());

  const times = async (parameters: Record<string, string>) =>
    (await fetchPage(backoffice, rows, parameters)).rows.map((row) => row[time]);

  test('include since and exclude until, to the millisecond', async () => {
    expect(await times({ since: '2026-03-01T10:00:00.000Z' })).toEqual([at[2], at[2], at[1]]);
    expect(await times({ since: '2026-03-01T10:00:00.001Z' })).toEqual([at[2], at[2]]);
    expect(await times({ since: '2026-03-01T10:00:00.002Z' })).toEqual([]);
    expect(await times({ until: '2026-03-01T10:00:00.002Z' })).toEqual([at[2], at[2], at[1], at[0]]);
    expect(await times({ until: '2026-03-01T10:00:00.001Z' })).toEqual([at[1], at[0]]);
    expect(await times({ until: '2026-03-01T09:59:59.999Z' })).toEqual([]);
  });

  test('form a range, which is empty if until is not after since', async () => {
    const since = '2026-03-01T10:00:00.000Z';
    expect(await times({ since, until: '2026-03-01T10:00:00.001Z' })).toEqual([at[1]]);
    expect(await times({ since, until: since })).toEqual([]);
    expect(await times({ since, until: '2026-01-01' })).toEqual([]);
  });

  test.for([
    ['a day, from its first instant in UTC', '2026-03-01', 4],
    ['the day after', '2026-03-02', 0],
    ['a time without a zone, in UTC', '2026-03-01T10:00', 3],
    ['a time with seconds', '2026-03-01T10:00:00', 3],
    ['a time in another zone', '2026-03-01T12:00:00.001+02:00', 2],
    ['a time with more digits, truncated to milliseconds', '2026-03-01T10:00:00.000999Z', 3],
    ['the first year', '0001-01-01', 4],
    ['the last year', '9999-12-31T23:59:59.999Z', 0],
  ] as const)('accept %s', async ([, since, count]) => {
    expect(await times({ since })).toHaveLength(count);
  });

  test('are in UTC if they have no zone, in any zone of the service', async () => {
    vi.stubEnv('TZ', 'Pacific/Chatham');
    expect(new Date('2026-03-01T10:00').toISOString()).not.toBe('2026-03-01T10:00:00.000Z');
    expect(await times({ since: '2026-03-01T10:00' })).toEqual([at[2], at[2], at[1]]);
    expect(await times({ until: '2026-03-01' })).toEqual([]);
  });
});

describe.for(lists)('an invalid parameter of the $rows is 400', ({ rows }) => {
  const wrongTimes = [
    ...['yesterday', '7', '2026', '2026-02-31', '2026-13-01', '2026-02-29', '2026-03-01T25:00Z', '2026-3-1'],
    ...['2026-03-01 10:00', '2026-03-01T10:00 PST', '2026-03-01(x)', '2026-03-01T10:00+0200', ' 2026-03-01'],
    ...['0000-01-01', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '+012026-03-01', 'infinity'],
  ];

  test.for(wrongTimes)('since and until: %j', async (text) => {
    const value = encodeURIComponent(text);
    const { api: send } = backoffice;
    expect(await send.get(`/${rows}?since=${value}`)).toEqual(
      errorResponse(400, 'since must be an ISO 8601 time.'),
    );
    expect(await send.get(`/${rows}?until=${value}`)).toEqual(
      errorResponse(400, 'until must be an ISO 8601 time.'),
    );
  });

  test.for(['0', '1001', '-1', '1.5', '1e2', '0x10', ' 5', 'ten', 'NaN', '९', '9'.repeat(400)])(
    'limit: %j',
    async (text) => {
      expect(await backoffice.api.get(`/${rows}?limit=${encodeURIComponent(text)}`)).toEqual(
        errorResponse(400, 'limit must be a whole number from 1 to 1,000.'),
      );
    },
  );
});

test.for(lists)('a parameter that is given twice has its first value: $rows', async ({ rows }) => {
  await backoffice.sql(`truncate ${rows} cascade`);
  await insert(rows, 'one');
  await insert(rows, 'two');
  const { body } = await backoffice.api.get(`/${rows}?q=one&q=two&limit=1&limit=0`);
  expect(body).toMatchObject({ [rows]: [expect.anything()], nextCursor: null });
  expect(await idsOf(backoffice, rows, { q: 'one' })).toHaveLength(1);
});
