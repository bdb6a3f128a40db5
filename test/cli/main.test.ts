import { expect, test } from 'vitest';
import { createEmptyDatabase } from '../support/database/database.ts';
import { backoffice } from '../support/terminal/command.ts';

test('prints the version', async () => {
  expect((await backoffice(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([['issues list'], ['issues create Title'], ['admins list'], ['settings list'], ['events tail']])(
  'says what to do about a database without tables: %s',
  async (words) => {
    const empty = await createEmptyDatabase();
    expect(await backoffice(words.split(' '), { env: { DATABASE_URL: empty.url } })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'backoffice: The database schema is out of date. Run `backoffice migrate up`.\n',
    });
    await empty.drop();
  },
);

test('reports an unreachable database in one line', async () => {
  const { code, stderr } = await backoffice(['tokens', 'list'], {
    env: { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' },
  });
  expect(code).toBe(4);
  expect(stderr).toBe(
    'backoffice: The database is unavailable. Check DATABASE_URL, and that Postgres is running.\n',
  );
});

test('shows the stack of an error with --debug', async () => {
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
])('ends %j with exit code 2', async (args, sentence) => {
  const { code, stderr, stdout } = await backoffice(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
});
