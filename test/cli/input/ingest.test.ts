import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { previousMonth } from '../../../cli/nouns/analytics.ts';
import { parseMoment } from '../../../src/shared/moments.ts';
import { executable, withoutEnvironment } from '../../support/run/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { commandsHere, done, failedLike, runIn } from '../commands-here.ts';

describe('records from a file', () => {
  const here = commandsHere();
  const { runWith, succeeds, fails, sql } = here;

  beforeEach(() => sql('truncate token_usage_records, scraping_runs cascade'));

  const remotely = (stdin: string, words: string) => runIn(() => here.env('through a server'), stdin)(words);

  const count = async (table: string) => (await sql(`select from ${table}`)).length;

  const record = (record_id: string) => ({ record_id, model: 'small', input_tokens: 5, output_tokens: 1 });
  const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  /** A record with a field that the service ignores, of so many levels. */
  const nested = (levels: number) =>
    JSON.stringify(record('x')).replace('}', `,"note":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  const many = (number: number) => Array.from({ length: number }, (_, index) => record(`record ${index}`));

  describe('backoffice usage ingest', () => {
    test('records each line once, from a file or standard input, on the database or through a server', async () => {
      const file = join(await temporaryFolder(), 'lines.jsonl');
      await writeFile(file, lines(...many(2_500)));
      await succeeds(`usage ingest ${file}`, 'Recorded 2,500 requests. Skipped 0 duplicates.', '');
      const stdin = lines(record('record 1'), record('new'));
      expect(await remotely(stdin, 'usage ingest - --json')).toEqual({
        code: 0,
        stdout: '{"success":true,"recorded":1,"duplicates":1}\n',
        stderr: '',
      });
      expect(await count('token_usage_records')).toBe(2_501);
    });

    test('accepts empty lines, Windows line ends and a last line without a line end', async () => {
      const stdin = `\n${JSON.stringify(record('a'))}\r\n\r\n  \n${JSON.stringify({ ...record('b'), provider: 'Ü🐛' })}`;
      expect(await runWith(stdin, 'usage ingest')).toMatchObject({ code: 0 });
      expect(await count('token_usage_records')).toBe(2);
    });

    test.each([
      ['invalid JSON', '{"record_id":', /^Line 1,202: Not valid JSON: /],
      ['a value that is not an object', '[1]', /^Line 1,202: .*must be an object\.$/],
      ['an invalid field', lines({ ...record('x'), model: '' }), /^Line 1,202: model is required: .*$/],
      ['a NUL', lines(record('x\0')), /^Line 1,202: record_id must not contain a NUL character\.$/],
      ['nesting that cannot be sent', nested(100_000), /^Line 1,202: The request must not be nested deeper/],
      ['nesting that the service refuses', nested(31), /^Line 1,202: The request must not be nested deeper/],
    ])('stops at a line with %s, after recording those before', async (_, wrong, sentence) => {
      const stdin = `\n${lines(...many(1_200))}${wrong.trim()}\n${lines(record('after'))}`;
      for (const send of [runWith, remotely]) {
        const { code, stdout, stderr } = await send(stdin, 'usage ingest');
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        const [remark, failed] = stderr.trimEnd().split('\nbackoffice: ');
        expect(remark).toBe('Recorded 1,201 lines. Send the whole file again. Known items are skipped.');
        expect(failed).toMatch(sentence);
        expect(await count('token_usage_records')).toBe(1_200);
      }
    });

    test('sends no request that is too large for a server', async () => {
      // Records of the maximum size: 1,000 of them take 1.2 MB.
      const fields = { provider: 'p'.repeat(200), model: 'ü🐛'.repeat(66), note: 'x'.repeat(600) };
      const wide = many(1_500).map((each) => ({ ...each, ...fields }));
      const tooWide = { ...record('x'), note: 'x'.repeat(1_100_000) };
      const refused =
        /^Recorded 1,500 lines\. .*\nbackoffice: Line 1,501: The request body must not be larger than 1 MiB\.\n$/;
      expect(await remotely(lines(...wide, tooWide), 'usage ingest')).toMatchObject(failedLike(2, refused));
      expect(await count('token_usage_records')).toBe(1_500);
    });

    test('names a file that it cannot read', () =>
      fails(2, `usage ingest ${tmpdir()}`, `Cannot read ${tmpdir()} (EISDIR).`));
  });

  describe('backoffice scraping ingest', () => {
    const begun = { run_id: 'r1', source: 'shop', started_at: '2026-09-01T10:00:00Z' };

    test('records the progress of runs and their errors once, and names the line of an invalid one', async () => {
      const stdin = lines(
        { ...begun, errors: [{ error_id: '1', message: 'One.' }] },
        { ...begun, run_id: 'r2' },
        { ...begun, status: 'failed', errors: [{ error_id: '1' }, { error_id: '2', message: 'Two.' }] },
      );
      expect(await runWith(stdin, 'scraping ingest')).toEqual({
        ...done('Recorded 2 runs and 2 errors. Updated 1 run. Skipped 0 duplicates.'),
        stderr: '',
      });
      const again = done('{"success":true,"recorded":0,"updated":0,"duplicates":3,"errors":0}');
      expect(await remotely(stdin, 'scraping ingest --json')).toMatchObject(again);
      const wrong = lines({ ...begun, run_id: 'r3' }, { ...begun, errors: [{ http_status: 'x' }] });
      const refused =
        /^Recorded 1 line\. .*\nbackoffice: Line 2: errors\[0\]\.http_status must be a whole number/;
      expect(await runWith(wrong, 'scraping ingest')).toMatchObject(failedLike(2, refused));
      expect(await count('scraping_runs')).toBe(3);
    });
  });
});

describe('moments', () => {
  /** A Sunday. */
  const now = Date.parse('2026-03-15T12:00:00.000Z');

  test.each([
    ['7d', '2026-03-08T12:00'],
    ['1mo', '2026-02-15T12:00'],
    ['2 weeks ago', '2026-03-01T12:00'],
    ['today', '2026-03-15T00:00'],
    ['yesterday 14:30', '2026-03-14T14:30'],
    ['last monday at 9:05', '2026-03-09T09:05'],
    ['last sunday', '2026-03-08T00:00'],
    ['this week', '2026-03-09T00:00'],
    ['last month', '2026-02-01T00:00'],
    [' 2026-01-31T09:30 ', '2026-01-31T09:30'],
    ['2026-01-31T09:30:00+01:00', '2026-01-31T08:30'],
  ])('a time is parsed from %j', (given, time) => {
    expect(parseMoment(given, now)).toBe(`${time}:00.000Z`);
  });

  test('a month ago ends on the last day of a shorter month, and the previous one may be in the year before', () => {
    const from = Date.parse('2026-03-31T00:00:00.000Z');
    expect(parseMoment('1 month ago', from)).toBe('2026-02-28T00:00:00.000Z');
    expect(['2026-03', '2026-01'].map(previousMonth)).toEqual(['2026-02', '2025-12']);
  });

  test.each([
    ...['7', '7x', '7 ages ago', '2026-13-01', '2026-1-1', '', 'someday', 'last', 'week', 'yesterday 25:00'],
    ...['999999w', '999999y', '2026-02-31'],
  ])('a time is not parsed from %j', (given) => {
    expect(parseMoment(given, now)).toBeUndefined();
  });
});

// Each in a process of its own, because bytes that are not UTF-8 do not pass through the one for several.
test.each([
  'admins create --email ada@example.com --password-stdin',
  ...['settings set motto -', 'settings import -', 'usage ingest -'],
])('`%s` refuses standard input that is not UTF-8, and stores nothing', (words) => {
  const { status, stderr } = spawnSync(process.execPath, [executable, ...words.split(' ')], {
    input: Buffer.from('pässword', 'latin1'),
    encoding: 'utf8',
    env: { ...withoutEnvironment(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } as NodeJS.ProcessEnv,
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'backoffice: Standard input is not valid UTF-8. Convert it to UTF-8 first.\n',
  });
});
