import { beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../../support/database/client.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { backoffice } from '../../support/terminal/hosted-command.ts';

const here = backofficeOfThisFile();

const run = (...args: string[]) => backoffice(args, { env: { DATABASE_URL: here.service.databaseUrl } });

/** Lists that are empty in a new database, with their fields. */
const lists = {
  'issues list':
    'id,title,category,severity,description,steps_to_reproduce,status,created_at,updated_at'.split(','),
  'scraping errors': [
    'id',
    'source',
    'url',
    'code',
    'httpStatus',
    'message',
    'occurredAt',
    'runId',
    'issueIds',
  ],
  'usage prices list': ['model', 'input', 'output', 'cached_input'],
  'usage budget show': ['model', 'limit'],
  'invitations list': ['id', 'email', 'role', 'invited_by', 'created_at', 'expires_at'],
};

describe('a list without rows', () => {
  test.each(Object.entries(lists))('`%s` has the headings of its columns', async (words, fields) => {
    const { code, stdout } = await run(...words.split(' '), '--csv');
    expect(code).toBe(0);
    expect(stdout.trim().split(',').sort()).toEqual([...fields].sort());
  });

  test.each(Object.keys(lists))('`%s` refuses a field that its rows do not have', async (words) => {
    const { code, stdout, stderr } = await run(...words.split(' '), '--json', 'id,titel');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^backoffice: Unknown field: \w+\. Available: \w+/);
  });
});

describe('a list of several pages', () => {
  const count = 1_001;

  beforeAll(async () => {
    await withClient(here.service.databaseUrl, (client) =>
      client.query(`insert into issues (title) select 'Issue ' || n from generate_series(1, ${count}) as n`),
    );
  });

  test('is the same in each format', async () => {
    const whole = JSON.parse((await run('issues', 'list', '--json')).stdout);
    const limited = JSON.parse((await run('issues', 'list', '--json', '--limit', String(count))).stdout);
    const fields = JSON.parse((await run('issues', 'list', '--json', 'title,id')).stdout);
    const csv = (await run('issues', 'list', '--csv')).stdout.trimEnd().split('\n');
    expect(whole.issues).toHaveLength(count);
    expect(limited).toEqual({ ...whole, nextCursor: null });
    expect(fields).toEqual({
      issues: whole.issues.map(({ id, title }: { id: number; title: string }) => ({ title, id })),
    });
    expect(csv[0]).toBe(lists['issues list'].join(','));
    expect(csv).toHaveLength(count + 1);
  });

  test('tells how to read on', async () => {
    const { issues, nextCursor } = JSON.parse((await run('issues', 'list', '--json', '--limit', '3')).stdout);
    expect(issues).toHaveLength(3);
    expect(nextCursor).toEqual(expect.any(String));
  });
});

test('fields of one issue are picked by their names, and links and comments beside them', async () => {
  await here.superadmin.client.call('issues.create', { title: 'Checkout' });
  const { stdout } = await run('issues', 'list', '--search', 'checkout', '--json', 'id');
  const id = JSON.parse(stdout).issues[0].id;
  const shown = await run('issues', 'show', String(id), '--json', 'title,status,links');
  expect(JSON.parse(shown.stdout)).toEqual({ title: 'Checkout', status: 'Open', links: [] });
});

test('JSON and CSV at once are refused', async () => {
  const { code, stderr } = await run('issues', 'list', '--json', '--csv');
  expect(code).toBe(2);
  expect(stderr).toContain("option '--csv' cannot be used with option '--json [fields]'");
});
