import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiOfRole } from '../../support/here/accounts.ts';
import { atOnce, errorResponse } from '../../support/here/requests.ts';
import { idsOf } from '../../support/here/rows.ts';
import { backofficeHere, startInstance } from '../../support/here.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();

const titles: Readonly<Record<string, string>> = {
  1: 'Crossing, zebra',
  2: 'Meet me at the café',
  3: 'CAFE\u0301 closed',
  4: 'Straßenbahn in Ærøskøbing and Łódź',
  5: 'ISTANBUL, İzmir and ısı',
  6: 'Плата не прошла, ёлка',
  7: '東京都庁',
  9: 'The party 🎉 of 👩‍💻',
  10: 'ΣΊΣΥΦΟΣ',
  11: 'I don’t “know” a–b',
  12: 'ﬁne ＦＵＬＬ ½',
  42: 'The answer',
  142: 'Another one',
};

beforeAll(async () => {
  await backoffice.sql(
    `insert into issues (id, title, created_at)
     select id::bigint, title, timestamptz '2026-03-01Z' + id::bigint * interval '1 hour'
     from json_each_text($1) as given (id, title)`,
    [JSON.stringify(titles)],
  );
  const names = ['100% sure', '100 times sure', 'a_b', 'axb', 'C:\\temp', 'C:temp', "it's"];
  await backoffice.sql(
    `insert into conversations (visitor_name, visitor_email) select name, '' from unnest($1::text[]) as name`,
    [names],
  );
});

const matching = (q: string) => idsOf(backoffice, 'issues', { q });

test.for([
  ['words in any order and inside other words', 'ebr cross', [1]],
  ['a word with or without the accent of the text', 'cafe', [3, 2]],
  ['a word with a combining mark', 'cafe\u0301', [3, 2]],
  ['capitals', 'CAFÉ CLOSED', [3]],
  ['ss as ß', 'croßing', [1]],
  ['letters that do not decompose', 'aeroskobing lodz', [4]],
  ['the capital İ as i', 'izmir', [5]],
  ['Cyrillic capitals, Е as Ё, and a part of a word', 'ПЛАТА ЕЛКА рошл', [6]],
  ['one character of Chinese', '京', [7]],
  ['an emoji, and a part of a joined one', '🎉 💻', [9]],
  ['Greek with and without accents, and any sigma', 'σισυφος', [10]],
  ['plain quotation marks and dashes', 'don\'t "know" a-b', [11]],
  ['the number of an issue', '42', [142, 42]],
  ['the number of an issue after #', '#42', [42]],
  ['no row that lacks one of the words', 'zebra bridge', []],
  ['no letters of one script that look like those of another', 'плaта', []],
] as const)('a search finds %s', async ([, q, ids]) => {
  expect(await matching(q)).toEqual(ids);
});

test('the length of q is from zero, which does not filter, to 200 characters, counted as people count them', async () => {
  const all = Object.keys(titles).map(Number).reverse();
  for (const q of ['', ' ', '\t\u00a0 ']) expect(await matching(q)).toEqual(all);
  for (const q of ['x'.repeat(200), '🎉'.repeat(200)]) expect(await matching(q)).toEqual([]);
});

test.for([
  ['%', ['100% sure']],
  ['a_b', ['a_b']],
  ['\\', ['C:\\temp']],
  ['sure 100', ['100 times sure', '100% sure']],
] as const)('a search is plain text, not a pattern: %j', async ([q, found]) => {
  const { body } = await backoffice.api.get(`/conversations?q=${encodeURIComponent(q)}`);
  const { conversations } = body as { conversations: { visitor_name: string }[] };
  expect(conversations.map(({ visitor_name }) => visitor_name).sort()).toEqual(found);
});

const path = '/issues?limit=10&q=zebra';

/** Holds searches until the transaction of the test ends. */
async function holdSearches(): Promise<void> {
  onTestFinished(async () => void (await backoffice.sql('rollback')));
  await backoffice.sql('begin');
  await backoffice.sql('lock table issue_search');
}

describe('searches', () => {
  test('of 50 callers at once run two at a time, and others are answered meanwhile', async () => {
    const limits = { searches: { perCaller: 2, waitMs: 2_000 } };
    const service = await startInstance(backoffice, {}, { limits });
    const api = await apiOfRole({ service }, 'user');
    const other = await apiOfRole({ service }, 'user');
    await holdSearches();
    const searches = atOnce(50, () => api.get(path));
    await untilBlocked(backoffice, 2);
    expect((await other.get('/issues?limit=1')).status).toBe(200);
    await untilBlocked(backoffice, 2);
    await backoffice.sql('rollback');
    for (const { status } of await searches) expect([200, 400, 503]).toContain(status);
  });

  test('that take too long end with what to do instead', async () => {
    await holdSearches();
    expect(await backoffice.api.get(path)).toEqual(
      errorResponse(
        400,
        'The search took too long. Search for a longer or rarer word, or in a shorter period with since and until.',
      ),
    );
  });
});
