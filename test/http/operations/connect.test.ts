import { execFile, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  cardIds,
  connectCards,
  linesOf,
  type SampleLanguage,
  sampleLanguages,
  sampleOf,
} from '../../../src/contract/connect.ts';
import { selectFirstRecords } from '../../../src/db/tables/first-records.ts';
import { seed } from '../../../src/services/seed/index.ts';
import { backofficeHere } from '../../support/here.ts';
import { readCosts } from '../../support/postgres/plans.ts';
import { smallSeed } from '../../support/postgres/seeded.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = backofficeHere();
const { sql } = own;

const connected = async () => (await own.superadmin.client.call('connect.show', {})).connected;
const every = (value: boolean) => Object.fromEntries(cardIds.map((card) => [card, value]));
const empty = () =>
  sql(
    'truncate issues, conversations, token_usage_records, scraping_runs, rate_limits, example_data cascade',
  );

let secret: string;
beforeAll(async () => {
  const { call } = own.superadmin.client;
  await call('settings.update', { key: 'contact_page', value: '1' });
  ({ secret } = await call('tokens.create', { name: 'website', role: 'user', scope: 'intake' }));
});

test('a card has at most six lines, and nothing in its samples that a shell would read', () => {
  for (const card of cardIds) {
    for (const hasMailbox of [false, true])
      expect(linesOf(card, '', hasMailbox).length, card).toBeLessThanOrEqual(6);
    const { body } = connectCards[card].sends;
    const texts = typeof body === 'string' ? [body] : Object.values(body);
    for (const text of texts) expect(String(text), card).not.toMatch(/['"`$\\]/);
  }
});

const programs = { curl: 'curl', node: process.execPath, python: 'python3' } as const;

test.for([...sampleLanguages])(
  'the samples for %s work as they stand, and connect each card',
  async (language: SampleLanguage, { skip }) => {
    const program = programs[language];
    const isThere = spawnSync(program, ['--version']).status === 0;
    // Nothing else of this project needs Python.
    if (!isThere && language === 'python')
      skip('python3 is not installed, so the samples for Python did not run.');
    expect(isThere, `${program} is not installed. The tests need it.`).toBe(true);
    await empty();
    expect(await connected()).toEqual(every(false));
    const samples = cardIds.map((card) => sampleOf(card, language, own.service.url, secret));
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    const { stdout } = await promisify(execFile)('sh', ['-ec', samples.join('\n')], { env });
    expect(stdout).not.toContain('"error"');
    expect(await connected()).toEqual(every(true));
  },
);

test('example data does not count, and what comes before, between and after it does', async () => {
  const addSeed = (randomSeed: number) =>
    seed(own.service.databaseUrl, { ...smallSeed, issues: 20, conversations: 5, randomSeed, append: true });
  const { call } = own.superadmin.client;
  const report = () => call('issues.create', { title: 'Own', severity: 'Low' });
  await empty();
  await addSeed(1);
  expect(await connected()).toEqual(every(false));
  await report();
  expect(await connected()).toEqual({ ...every(false), issues: true });
  await addSeed(2);
  expect((await connected()).issues).toBe(true);
  await sql(`delete from issues where title = 'Own'`);
  expect(await connected()).toEqual(every(false));
  await call('tokenUsage.record', { record_id: 'a', model: 'small-1', input_tokens: 1, output_tokens: 1 });
  await call('scrapingRuns.record', { run_id: 'a', source: 'shop' });
  expect(await connected()).toEqual({ ...every(false), usage: true, scraping: true });
  await empty();
  await report();
  await addSeed(3);
  expect(await connected()).toEqual({ ...every(false), issues: true });
});

test('tells whether a mailbox is read, so that nobody sets up another way for its mails', async () => {
  const isRead = async () => (await own.superadmin.client.call('connect.show', {})).mailbox;
  expect(await isRead()).toBe(false);
  await sql(`insert into mailboxes (name, read_at) values ('support at imap.example.com, INBOX', now())`);
  expect(await isRead()).toBe(true);
  await sql(`update mailboxes set error = 'The mailbox refuses the password.'`);
  expect(await isRead()).toBe(false);
  await sql(`update mailboxes set error = null, read_at = now() - interval '1 hour'`);
  expect(await isRead()).toBe(false);
});

const large = databaseHere();

test('costs the same, however many conversations and issues there are', async () => {
  const { client, pool } = large;
  const cost = async () =>
    Math.max(...(await readCosts(pool, client, selectFirstRecords)).map(({ pages }) => pages));
  const ofNone = await cost();
  await client.query(`
    insert into conversations (visitor_email, visitor_name)
    select 'v@example.com', 'V' from generate_series(1, 10000);
    with made as (insert into issues (title) select 'Example' from generate_series(1, 10000) returning id)
    insert into example_data (table_name, row_ids) select 'issues', array_agg(id::text order by id) from made`);
  await client.query('vacuum (analyze) conversations, issues, example_data');
  expect(await selectFirstRecords(pool)).toEqual(every(false));
  expect(await cost()).toBeLessThan(ofNone + 40);
});
