import { beforeAll, describe, expect, test } from 'vitest';
import { idsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const titles: Readonly<Record<string, string>> = {
  1: 'Crossing, zebra',
  2: 'Meet me at the café',
  3: 'CAFE\u0301 closed',
  4: 'Straßenbahn in Ærøskøbing and Łódź',
  5: 'ISTANBUL, İzmir and ısı',
  6: 'Плата не прошла, ёлка',
  7: '東京都庁',
  8: '한국어 텍스트',
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
});

const matching = (q: string) => idsOf(backoffice, 'issues', { q });

describe('a search finds', () => {
  test.for([
    ['words in any order', 'zebra cross', [1]],
    ['words inside other words', 'ebr ossi', [1]],
    ['a word with an accent that the text has', 'café', [3, 2]],
    ['a word without the accent of the text', 'cafe', [3, 2]],
    ['a word with another accent', 'càfè', [3, 2]],
    ['a word with a combining mark', 'cafe\u0301', [3, 2]],
    ['capitals', 'CAFÉ CLOSED', [3]],
    ['ß as ss', 'strassen', [4]],
    ['ss as ß', 'croßing', [1]],
    ['ẞ as ß', 'STRAẞENBAHN', [4]],
    ['letters that do not decompose', 'aeroskobing lodz', [4]],
    ['the capital İ as i', 'izmir', [5]],
    ['ı as i, and I as ı', 'isi ıstanbul', [5]],
    ['Cyrillic capitals and Е as Ё', 'ПЛАТА ЕЛКА', [6]],
    ['a part of a Cyrillic word', 'рошл', [6]],
    ['one character of Chinese', '京', [7]],
    ['a part of a text without spaces', '京都', [7]],
    ['Korean syllables', '국어', [8]],
    ['an emoji', '🎉', [9]],
    ['a part of a joined emoji', '💻', [9]],
    ['Greek with and without accents, and any sigma', 'σισυφος', [10]],
    ['plain quotation marks and dashes', 'don\'t "know" a-b', [11]],
    ['compatibility forms', 'fine full 1/2', [12]],
    ['the number of an issue', '42', [142, 42]],
    ['the number of an issue after #', '#42', [42]],
    ['short words together with long ones', 'a in lodz', [4]],
    ['the same word twice', 'zebra zebra ZEBRA', [1]],
  ] as const)('%s', async ([, q, ids]) => {
    expect(await matching(q)).toEqual(ids);
  });

  test.for([
    ['a row that lacks one of the words', 'zebra bridge'],
    ['letters of one script that look like those of another', 'плaта'],
    ['codes instead of letters', 'FCFI'],
    ['words that only a pattern would match', 'z_bra'],
    ['words that only a pattern would match', 'z%a'],
  ] as const)('not %s: %s', async ([, q]) => {
    expect(await matching(q)).toEqual([]);
  });
});

describe('the length of q', () => {
  const search = (q: string) => backoffice.api.get(`/issues?limit=1&q=${encodeURIComponent(q)}`);

  test('is at most 200 characters, counted as people count them', async () => {
    expect((await search('x'.repeat(200))).status).toBe(200);
    expect((await search('🎉'.repeat(200))).status).toBe(200);
  });

  test.for([
    ['201 letters', 'x'.repeat(201)],
    ['201 emoji', '🎉'.repeat(201)],
    ['14,000 letters', 'x'.repeat(14_000)],
    ['201 spaces', ' '.repeat(201)],
  ] as const)('is refused beyond that: %s', async ([, q]) => {
    const error = 'q must be at most 200 characters. Search for fewer words.';
    expect(await search(q)).toEqual({ status: 400, body: { error } });
  });

  test('may be zero: an empty or blank search does not filter', async () => {
    const all = Object.keys(titles).map(Number).reverse();
    for (const q of ['', ' ', '\t\u00a0 ']) expect(await matching(q)).toEqual(all);
  });
});

test('a NUL in q is refused', async () => {
  const error = 'q must not contain a NUL character.';
  expect(await backoffice.api.get('/issues?q=a%00b')).toEqual({ status: 400, body: { error } });
});
