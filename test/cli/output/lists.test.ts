import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderTable } from '../../../cli/output/table.ts';
import type { Column } from '../../../cli/terminal/columns.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { checksOf, commandsHere, containing, runIn, ways } from '../commands-here.ts';

const here = commandsHere();
const { run, fails, printed } = here;

/** Lists that are empty in a new database, with their fields. */
const lists = {
  'issues list': 'id,title,category,severity,description,steps_to_reproduce,status,created_at,updated_at',
  'scraping errors': 'id,source,url,code,httpStatus,message,occurredAt,runId,issueIds',
  'usage budget show': 'model,limit',
  'issues stats': 'chart,age,name,count',
  'invitations list': 'id,email,role,invited_by,created_at,expires_at',
};

test.each(Object.entries(lists))(
  '`%s` without rows has the headings of its columns, and refuses a field that it has not',
  async (words, fields) => {
    const { code, stdout } = await run(`${words} --csv`);
    expect(code).toBe(0);
    expect(stdout.trim().split(',').sort()).toEqual(fields.split(',').sort());
    await fails(2, `${words} --json id,titel`, /^{"error":"Unknown field: \w+\. Available: \w+/);
  },
);

describe('a list of several pages', () => {
  const count = 1_001;

  beforeAll(() =>
    here.sql(`insert into issues (title) select 'Issue ' || n from generate_series(1, ${count}) as n`),
  );

  test('is the same in each format, and tells how to read on', async () => {
    const whole = await printed('issues list --json');
    const limited = await printed(`issues list --json --limit ${count}`);
    const csv = (await run('issues list --csv')).stdout.trimEnd().split('\n');
    expect(whole.issues).toHaveLength(count);
    expect(limited).toEqual({ ...whole, nextCursor: null });
    expect(csv[0]).toBe(lists['issues list']);
    expect(csv).toHaveLength(count + 1);
    const nextCursor = expect.any(String);
    const issues = whole.issues.slice(0, 3);
    expect(await printed('issues list --json --limit 3')).toEqual({ issues, nextCursor });
  });

  const lines = async (options: string, ...texts: string[]) =>
    (await run(`issues list ${options}`, ...texts)).stdout.split('\n').slice(0, -1);

  test('is one line of each row: as JSON, ids, and values with tabs between', async () => {
    const whole: { id: number; title: string; created_at: string }[] = (await printed('issues list --json'))
      .issues;
    expect((await lines('--jsonl')).map((line) => JSON.parse(line))).toEqual(whole);
    expect(await lines('--quiet')).toEqual(whole.map(({ id }) => String(id)));
    expect(await lines('--limit 0')).toEqual(
      whole.map(({ id, title, created_at }) => `${id}\t${title}\tLow\tOpen\tOther\t${created_at}`),
    );
    expect(await lines('--csv --columns id,title')).toEqual([
      'id,title',
      ...whole.map(({ id, title }) => `${id},${title}`),
    ]);
  });

  test('goes through jq as a whole, or row by row', async () => {
    expect(await lines('--jq', '.issues | length, (.[0] | keys[0])')).toEqual([String(count), 'category']);
    const row = '[{"id":1001}]';
    expect(await lines('--json id --limit 1 --jq .issues')).toEqual([row]);
    const titles = await lines('--jsonl --limit 2 --jq', 'if .id % 2 == 0 then .title else "" end');
    expect(titles).toEqual(['', 'Issue 1000']);
    await fails(
      1,
      'issues list --jsonl --jq ".title | . + 1"',
      /The jq expression failed: string \(\\"Issue 1001\\"\) and number/,
    );
  });
});

describe('every list', () => {
  // More than a page of their operations has.
  const rows: Readonly<Record<string, number>> = {
    'issues list': 1_026,
    'admins list': 121,
    'comments list --issue 1': 1_001,
    'scraping errors': 1_002,
    'events list --types issue.created': 25,
  };

  beforeAll(async () => {
    await here.sql(`
      insert into admins (email, username) select n || '@example.org', n from generate_series(1, 120) as n;
      insert into comments (issue_id, content) select 1, n from generate_series(1, 1001) as n;
      insert into scraping_runs (run_id, source) values ('run', 'shop'), ('other', 'blog');
      insert into scraping_errors (run_id, message) select 'run', n from generate_series(1, 1001) as n;
      insert into scraping_errors (run_id, message) values ('other', 'Not found');
    `);
    await Promise.all(Array.from({ length: 25 }, () => here.client.call('issues.create', { title: 'New' })));
  });

  test.each(Object.entries(rows))('`%s` has all %i rows in a pipe, also as data', async (words, count) => {
    const linesOf = async (options: string) => (await run(`${words} ${options}`)).stdout.match(/\n/g)?.length;
    expect(await linesOf('--quiet')).toBe(count);
    expect(await linesOf('--limit 0 --jsonl')).toBe(count);
    const table = await run(words);
    expect(table.stderr).toBe('');
    expect(table.stdout.split('\n').length).toBeGreaterThan(count);
    const some = await run(`${words} --limit 2`);
    expect(some.stderr).toMatch(/--limit 0 to show all/);
  });

  test('of errors says how many there are', async () => {
    const { succeeds } = checksOf(run);
    const of = (count: string) => `Showing the newest 2 of ${count}. Use --limit 0 to show all.`;
    await succeeds('scraping errors --limit 2', undefined, of('1,002 errors'));
    for (const selected of ['--run run', '--source shop'])
      await succeeds(`scraping errors --limit 2 ${selected}`, undefined, of('1,001 errors'));
  });

  test.each(ways)('says how many comments are not shown, %s', async (way) => {
    const { succeeds } = checksOf(runIn(() => here.env(way)));
    const { stderr } = await succeeds('comments list --issue 1 --limit 20', /comment 982\n/);
    expect(stderr).toMatch(/^\n981 older comments are not shown\./);
    const [before] = /--before \S+/.exec(stderr) ?? [];
    await succeeds(`comments list --issue 1 ${before}`, /981/, '');
    await succeeds('events list --limit 1 --quiet', /^\d+\n$/);
    await succeeds('events list --types issue.created --limit 101 --quiet', /^(\d+\n){25}$/);
  });
});

test.each([
  ['--json --csv', "option '--csv' cannot be used with option '--json [fields]'"],
  ['--columns id --json', "option '--columns <names>' cannot be used with option '--json [fields]'"],
  ['--sort title', 'Allowed choices are -created_at, created_at'],
  ['--columns id,titel', 'Unknown column: titel. Available: id, title, severity'],
  ['--jsonl titel', 'Unknown field: titel. Available: id, title'],
  ['--jq .issues[', 'The jq expression is not valid: syntax error'],
])('`issues list %s` is refused with a sentence', async (options, sentence) => {
  await fails(2, `issues list ${options}`, containing(sentence));
});

test('a field that --json or --columns names is read, also one that lists have only on demand', async () => {
  await here.client.call('issues.create', { title: 'Labelled', labels: ['urgent'] });
  const [row] = (await printed('issues list --json title,labels,assignee --limit 1')).issues;
  expect(row).toEqual({ assignee: null, labels: ['urgent'], title: 'Labelled' });
  const { stdout } = await run('issues list --columns labels,title --limit 1');
  expect(stdout).toBe('urgent\tLabelled\n');
  const both = await run('issues list --label urgent --label none --quiet');
  expect(both.stdout.split('\n').length).toBeGreaterThan(2);
});

test('a filter by a word that no issue has names the words in use', async () => {
  const none = 'No issues match.\nEach severity in use: Low.';
  expect(await run('issues list --filter severity:hi')).toEqual({ code: 0, stdout: '', stderr: `${none}\n` });
});

test('a sort with its direction behind it is the sort with - before it', async () => {
  const sorted = (sort: string) => run(`issues list --sort ${sort} --quiet`);
  expect(await sorted('created_at:asc')).toEqual(await sorted('created_at'));
  expect(await sorted('severity:DESC')).toEqual(await sorted('-severity'));
});

test('--web prints the address of the page with the same filters where no browser can be opened', async () => {
  const { url } = here.service;
  const { succeeds } = checksOf(runIn(() => here.env('through a server')));
  await succeeds(
    'issues list --status open,closed --web --limit 3 --search "a b"',
    `${url}/issues?status=Open%2CClosed&q=a+b`,
    'The page has no --limit.',
  );
  await here.client.call('issues.create', { title: 'Filtered', category: 'Mail' });
  const filter = 'status:res severity:critical,high category:Mail newer:2026-01-31 a b';
  const filtered = await succeeds(`issues list --web --sort severity --filter "${filter}"`, undefined, '');
  expect(Object.fromEntries(new URL(filtered.stdout.trim()).searchParams)).toEqual({
    status: 'Resolved',
    severity: 'Critical,High',
    category: 'Mail',
    since: '2026-01-31T00:00:00.000Z',
    q: 'a b',
    sort: 'severity',
  });
  const unread = `${url}/conversations?unread=true&status=open&assignee=me`;
  await succeeds('conversations list --web --filter "is:unread status:open assignee:me"', unread);
  await succeeds('conversations show conv_1 --web', `${url}/conversations?id=conv_1`);
});

interface Row {
  readonly id: number;
  readonly title: string;
  readonly by: string;
}

const columns: readonly Column<Row>[] = [
  { heading: 'id', value: ({ id }) => String(id), align: 'right' },
  { heading: 'title', value: ({ title }) => title, cut: true },
  { heading: 'by', value: ({ by }) => by, dropAs: 1 },
];

const rows: readonly Row[] = [
  { id: 7, title: 'The checkout does nothing at all on a Sunday', by: 'Ada' },
  { id: 123, title: '日本語のタイトル 🎉 with wide characters', by: 'Grace' },
];

describe('a table', () => {
  test('aligns columns, with numbers on the right and no trailing spaces', () => {
    expect(renderTable(columns, rows, Number.POSITIVE_INFINITY).split('\n')).toEqual([
      ' ID  TITLE                                         BY',
      '  7  The checkout does nothing at all on a Sunday  Ada',
      '123  日本語のタイトル 🎉 with wide characters      Grace',
    ]);
    expect(renderTable(columns, [], 80)).toBe('ID  TITLE  BY');
  });

  test('cuts long texts first, then drops a column, and cuts ids last', () => {
    expect(renderTable(columns, rows, 40)).toMatch(/….*Grace/s);
    expect(renderTable(columns, rows, 22)).not.toMatch(/BY|Grace/);
    expect(renderTable(columns.slice(0, 1), rows, 2)).toBe('ID\n 7\n1…');
  });

  test('never exceeds the width, with any columns and rows', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc.constantFrom('', 'Dr. Maximiliane Alexandra von und zu Hohenstein-Wagenburg-Lippe', '🫨'.repeat(30)),
    );
    const column = fc.record(
      {
        heading: fc.string({ minLength: 1, maxLength: 12 }),
        align: fc.constantFrom('left' as const, 'right' as const),
        cut: fc.boolean(),
        dropAs: fc.nat(5),
      },
      { requiredKeys: ['heading', 'align', 'cut'] },
    );
    const shapes = fc.array(column, { minLength: 1, maxLength: 9 });
    const texts = fc.array(fc.array(text, { minLength: 9, maxLength: 9 }), { maxLength: 5 });
    fc.assert(
      fc.property(shapes, texts, fc.integer({ min: 1, max: 130 }), (shape, rows, width) => {
        const columns = shape.map((each, index) => ({
          ...each,
          value: (row: readonly string[]) => row[index] ?? '',
        }));
        for (const line of renderTable(columns, rows, width).split('\n'))
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: isSlowRun ? 1_000 : 200 },
    );
  });

  test('replaces control characters, and paints cells without moving them', () => {
    const evil = '\u001b[2J\u009b31m\u202Egnp.exe\r\nsecond line\u0007';
    const table = renderTable(columns, [{ id: 1, title: evil, by: '' }], 80);
    expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(table).toContain('second line');
    const paint = (text: string) => `\u001b[31m${text}\u001b[39m`;
    const painted = columns.map((column) => ({ ...column, paint }));
    const plain = stripVTControlCharacters(renderTable(painted, rows, 50));
    expect(plain).toBe(renderTable(columns, rows, 50));
  });
});
