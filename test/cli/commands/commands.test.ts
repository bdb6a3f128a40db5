import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/database.ts';
import { withClient } from '../../support/http/admin-client.ts';
import { backoffice, type CommandOptions } from '../../support/terminal/command.ts';

/** Runs a command against a database. */
function on(database: TestDatabase, args: string[], options: CommandOptions = {}) {
  return backoffice(args, { ...options, env: { DATABASE_URL: database.url } });
}

describe('the backoffice command', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await database.drop();
  });

  test('creates an admin with a password from standard input', async () => {
    const args = [
      'admins',
      'create',
      '--email',
      ' Grace@Example.com',
      '--role',
      'superadmin',
      '--password-stdin',
    ];
    const made = await on(database, args, { stdin: 'a good password\n' });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Created superadmin grace@example\.com \(admin_\d+_[a-z0-9]{6}\)\.\n$/);
    const again = await on(database, args, { stdin: 'a good password' });
    expect(again).toMatchObject({
      code: 1,
      stderr: 'backoffice: An admin with this email already exists.\n',
    });
  });

  test('refuses a short password and asks for none without a terminal', async () => {
    const short = await on(database, ['admins', 'create', '--email', 'a@b.c', '--password-stdin'], {
      stdin: 'short',
    });
    expect(short).toMatchObject({ code: 2, stderr: 'backoffice: Password must be at least 6 characters.\n' });
    const mute = await on(database, ['admins', 'create', '--email', 'a@b.c']);
    expect(mute).toMatchObject({ code: 2, stdout: '' });
    expect(mute.stderr).toContain('--password-stdin');
  });

  test('takes no password as a flag', async () => {
    const { code, stderr } = await on(database, [
      'admins',
      'create',
      '--email',
      'a@b.c',
      '--password',
      'secret',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--password'");
  });

  test('creates, lists and revokes tokens, and shows a secret once', async () => {
    const created = await on(database, ['tokens', 'create', '--name', 'nightly', '--role', 'admin']);
    expect(created.stdout).toMatch(/^bo_[\w-]{43}\n$/);
    const listed = await on(database, ['tokens', 'list']);
    expect(listed.stdout).toMatch(/nightly +admin +valid/);
    expect(listed.stdout).not.toContain('bo_');
    const [token] = JSON.parse((await on(database, ['tokens', 'list', '--json'])).stdout).tokens;
    expect(await on(database, ['tokens', 'revoke', String(token.id), '--yes'])).toMatchObject({
      code: 0,
      stdout: `Revoked token ${token.id}.\n`,
    });
    expect((await on(database, ['tokens', 'list'])).stdout).toMatch(/nightly +admin +revoked/);
    expect(await on(database, ['tokens', 'revoke', '999', '--yes'])).toMatchObject({ code: 3 });
  });

  test('says of an empty list whether it is that of a filter', async () => {
    expect(await on(database, ['webhooks', 'deliveries'])).toMatchObject({
      stderr: 'No deliveries.\n',
    });
    expect(await on(database, ['webhooks', 'deliveries', '--status', 'failed'])).toMatchObject({
      stderr: 'No deliveries match.\n',
    });
  });

  test('creates tokens that expire never, or in as many days as it is told', async () => {
    const create = ['tokens', 'create', '--json', '--name'];
    const forever = await on(database, [...create, 'forever', '--expires', 'never']);
    const { id, expires_at } = JSON.parse(forever.stdout);
    expect(expires_at).toBeNull();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const made = await on(database, [...create, 'for a year', '--expires', '365']);
    // The day may turn between the two.
    expect([inDays(364), inDays(365)]).toContain(JSON.parse(made.stdout).expires_at.slice(0, 10));
    expect(await on(database, ['tokens', 'revoke', String(id), '--yes', '--json'])).toMatchObject({
      code: 0,
      stdout: '{"success":true}\n',
    });
  });

  test('finds counts that are wrong and mends them', async () => {
    await withClient(database.url, async (client) => {
      await client.query('alter table issues disable trigger user');
      await client.query("insert into issues (title) values ('uncounted')");
      await client.query('alter table issues enable trigger user');
    });
    const wrong = await on(database, ['issues', 'recount', '--check']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/counts are wrong\. Run `backoffice issues recount` to fix this\./);
    expect(await on(database, ['issues', 'recount'])).toMatchObject({ code: 0 });
    expect(await on(database, ['issues', 'recount', '--check'])).toMatchObject({ code: 0 });
  });

  test('brings a schema up and down', async () => {
    const empty = await createEmptyDatabase();
    expect((await on(empty, ['migrate', 'status'])).stdout).toMatch(/0001_\w+ +pending/);
    expect((await on(empty, ['migrate', 'up'])).stdout).toMatch(/^Applied 0001_/);
    expect((await on(empty, ['migrate', 'up'])).stdout).toBe('The schema is up to date.\n');
    const refused = await on(empty, ['migrate', 'down']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect((await on(empty, ['migrate', 'down', '--yes'])).stdout).toMatch(/^Reverted \d{4}_/);
    const status = JSON.parse((await on(empty, ['migrate', 'status', '--json'])).stdout).migrations;
    expect(status.at(-1)).toMatchObject({ state: 'pending', appliedAt: null });
    await empty.drop();
  });

  test.each([['issues list'], ['issues create Title'], ['admins list'], ['settings list'], ['events tail']])(
    'says of a database without tables what to do: %s',
    async (words) => {
      const empty = await createEmptyDatabase();
      expect(await on(empty, words.split(' '))).toEqual({
        code: 1,
        stdout: '',
        stderr: 'backoffice: The database schema is out of date. Run `backoffice migrate up`.\n',
      });
      await empty.drop();
    },
  );

  test('tells a database that cannot be reached in one sentence', async () => {
    const { code, stderr } = await backoffice(['tokens', 'list'], {
      env: { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' },
    });
    expect(code).toBe(4);
    expect(stderr).toBe(
      'backoffice: The database is unavailable. Check DATABASE_URL, and that Postgres is running.\n',
    );
  });

  test('shows the whole of an error with --debug', async () => {
    const { code, stderr } = await backoffice(['--debug', 'tokens', 'list'], {
      env: { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' },
    });
    expect(code).toBe(4);
    expect(stderr).toMatch(/\n {4}at /);
    expect(stderr).not.toContain('hidden');
  });

  test.each([
    [['nonsense'], 'unknown command'],
    [['isues', 'list'], 'Did you mean issues?'],
    [['issues', 'lst'], 'Did you mean list?'],
    [['migrate'], 'Usage: backoffice migrate'],
    [['tokens', 'create'], "required option '--name <name>' not specified"],
    [['tokens', 'create', '--name', 'x', '--expires', 'soon'], 'a number of days'],
    [['tokens', 'create', '--name', 'x', '--role', 'king'], 'Allowed choices are superadmin, admin, user'],
  ])('answers %j with exit code 2', async (args, sentence) => {
    const { code, stderr, stdout } = await backoffice(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});
