import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { queryRows, wrongCounters } from '../../support/postgres/seeded.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

let database: TestDatabase;
let env: { DATABASE_URL: string };

beforeEach(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url };
});

afterEach(async () => {
  await database.drop();
});

async function countIssues(): Promise<number> {
  const [row] = await queryRows<{ issues: number }>(
    database,
    'select count(*)::integer as issues from issues',
  );
  return row?.issues ?? 0;
}

/** Removes the progress lines, which are written every ten seconds. */
const withoutProgress = (stderr: string) => stderr.replaceAll(/^[\d,]+ of [\d,]+ .*\n/gm, '');

describe('backoffice seed', () => {
  test('fills an empty database once, and says how to create the same data again', async () => {
    const made = await backoffice(['seed'], { env });
    expect(made.code).toBe(0);
    expect(withoutProgress(made.stderr)).toBe('');
    expect(made.stdout).toMatch(
      /^Created 500 issues, 40 conversations with \d+ messages, 5 settings, .*\nTo create the same data again: --random-seed 1 --until \d{4}-\d\d-\d\dT\d\d:00:00\.000Z\n$/,
    );
    expect(await wrongCounters(database)).toEqual([]);
    expect(await backoffice(['seed'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'backoffice: The database already has issues or conversations. Choose an empty one with BACKOFFICE_DATA or ' +
        'DATABASE_URL, or add to this one with --append.\n',
    });
  });

  test('fills an empty database once if two start at the same time', async () => {
    const args = ['seed', '--issues', '7', '--conversations', '0'];
    const both = [startBackoffice(args, { env }), startBackoffice(args, { env })];
    const codes = await Promise.all(both.map(async ({ finished }) => (await finished).code));
    expect(codes.toSorted()).toEqual([0, 1]);
    expect(await countIssues()).toBe(7);
  });

  test('creates the requested numbers, and adds to them', async () => {
    const flags = ['--issues', '12', '--conversations', '3', '--messages-per-conversation', '1', '--json'];
    const first = await backoffice(['seed', ...flags, '--until', '2026-01-31T09:30:00Z'], { env });
    expect(JSON.parse(first.stdout)).toMatchObject({
      issues: 12,
      conversations: 3,
      messages: 3,
      randomSeed: 1,
      until: '2026-01-31T09:30:00.000Z',
    });
    const append = ['--append', '--random-seed', '2', '--jq', '[.issues, .settings, .randomSeed]'];
    const second = await backoffice(['seed', ...flags, ...append], { env });
    expect(second.stdout).toBe('[12,0,2]\n');
    expect(await countIssues()).toBe(24);
  });

  test('stops after the current batch', async () => {
    const command = startBackoffice(['seed', '--issues', '5000000', '--conversations', '0'], { env });
    while ((await countIssues()) === 0) await sleep(20);
    const { code, stdout, stderr } = await command.stop('SIGINT');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    const issues = await countIssues();
    expect(withoutProgress(stderr)).toBe(
      `backoffice: Stopped after creating ${issues.toLocaleString('en')} issues, ` +
        '0 conversations with 0 messages, 5 settings, 4,032 token usage records, 90 scraping runs, 0 links between issues and conversations, 0 assignments, 40 rows with labels, 6 comments, 5 saved replies.\n',
    );
    expect(issues % 5_000).toBe(0);
    expect(await wrongCounters(database)).toEqual([]);
  });

  test('leaves complete batches if it is killed', async () => {
    const command = startBackoffice(['seed', '--issues', '5000000', '--conversations', '0'], { env });
    while ((await countIssues()) === 0) await sleep(20);
    await command.stop('SIGKILL');
    expect((await countIssues()) % 5_000).toBe(0);
    expect(await wrongCounters(database)).toEqual([]);
  });

  test.each([
    ['--issues', '-1', 'a whole number from 0'],
    ['--issues', '1e6', 'a whole number from 0'],
    ['--conversations', '1.5', 'a whole number from 0'],
    ['--messages-per-conversation', '0', 'a whole number from 1'],
    ['--messages-per-conversation', '1001', 'a whole number from 1 to 1000'],
    ['--random-seed', '4294967296', 'a whole number from 0 to 4294967295'],
    ['--until', 'soon', 'a time such as 2026-01-31'],
    ['--until', '2999-01-01', 'a time in the past'],
  ])('refuses %s %s', async (flag, value, sentence) => {
    const { code, stdout, stderr } = await backoffice(['seed', flag, value], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(await countIssues()).toBe(0);
  });
});
