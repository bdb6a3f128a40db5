import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FailedError, NotConnectedError, NotFoundError, UsageError } from '../../cli/errors.ts';
import { exitCodeOf } from '../../cli/failures.ts';
import { addNeededCommands, createProgram, createRoot, topLevelNames } from '../../cli/program.ts';
import { ConfigError } from '../../src/config.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { EmbeddedPostgresError } from '../../src/db/embedded/programs.ts';
import { packageVersion } from '../../src/version.ts';
import { createEmptyDatabase } from '../support/postgres.ts';
import { executable } from '../support/run/process.ts';
import { backoffice } from '../support/run.ts';

describe('backoffice', () => {
  test.each([[['--version']], [['--debug', '--version']]])('%j prints the version', async (args) => {
    expect(await backoffice(args)).toMatchObject({ code: 0, stdout: `${packageVersion()}\n` });
  });

  test.each([[['--help']], [['openapi']], [['help', 'issues', 'list']]])(
    'reports that a full disk does not take the output of %j',
    (args) => {
      const output = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [executable, ...args], {
        stdio: ['ignore', output, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(output);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: 'backoffice: Cannot write the output (ENOSPC). It is incomplete.\n',
      });
    },
  );

  test('shows what is wrong with an argument without the control and direction characters in it', async () => {
    const { code, stderr } = await backoffice(['issues', 'list', '--status', '\u001b[31m\u202Enepo']);
    expect(code).toBe(2);
    expect(stderr).toContain("argument '\uFFFD[31m\uFFFDnepo' is invalid");
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  });

  test('warns of a token that goes to another machine unencrypted', async () => {
    const warning = /^Warning: the token is sent to backoffice\.example without encryption/;
    const env = { BACKOFFICE_TOKEN: 'bo_secret' };
    for (const words of ['issues list --server', 'whoami --server', 'login --with-token']) {
      const args = [...words.split(' '), 'http://backoffice.example'];
      const remote = await backoffice(args, { env, stdin: 'bo_secret' });
      expect(remote.stderr, words).toMatch(warning);
    }
    const local = await backoffice(['issues', 'list', '--server', 'http://127.0.0.1:1'], { env });
    expect(local.stderr).not.toMatch(/Warning/);
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

  test('reports an unreachable database in one line, and shows the stack of the error with --debug', async () => {
    const env = { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' };
    const { code, stderr } = await backoffice(['tokens', 'list'], { env });
    expect(code).toBe(4);
    expect(stderr).toBe(
      'backoffice: The database is unavailable. Check DATABASE_URL, and that Postgres is running.\n',
    );
    const debugged = await backoffice(['--debug', 'tokens', 'list'], { env });
    expect(debugged).toMatchObject({ code: 4, stderr: expect.stringMatching(/\n {4}at /) });
    expect(debugged.stderr).not.toContain('hidden');
  });

  test('names a file that a backup cannot be written to', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    expect(await backoffice(['backup', '/nowhere/backup.gz'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'backoffice: Cannot write /nowhere/backup.gz.partial (ENOENT).\n',
    });
  });

  test.each([
    [['nonsense'], 'unknown command'],
    [['isues', 'list'], 'Did you mean issues?'],
    [['issues', 'lst'], 'Did you mean list?'],
    [['migrate'], 'Usage: backoffice migrate'],
    [['help', 'issue', 'nope'], "unknown command 'nope'"],
    [['issues', 'show', '--json', '42'], "'42' was taken as the value of --json. Write --json last."],
    [['issues', 'update', '42', '--title', 'x'], 'Did you mean --set-title?'],
    [['tokens', 'create'], "required option '--name <name>' not specified"],
    [['tokens', 'create', '--name', 'x', '--expires', 'soon'], 'a number of days'],
    [['tokens', 'create', '--name', 'x', '--role', 'king'], 'Allowed choices are superadmin, admin, user'],
  ])('ends %j with exit code 2', async (args, sentence) => {
    const { code, stderr, stdout } = await backoffice(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  test.each([
    ['issue ls', 'issues list', 'ls'],
    ['conv view', 'conversations show', 'view'],
    ['help token rm', 'tokens revoke', 'rm'],
    ['webhook rm', 'webhooks delete', 'rm'],
    ['usage price ls', 'usage prices list', 'ls'],
  ])('`%s` is %s, whose help names its other names', async (short, long, alias) => {
    const words = short.startsWith('help ') ? short.split(' ') : [...short.split(' '), '--help'];
    const { stdout } = await backoffice(words);
    expect(stdout).toMatch(new RegExp(`^Usage: backoffice ${long} `));
    expect(stdout).toMatch(new RegExp(`^Aliases: ${alias}$`, 'm'));
    const root = await backoffice(['--help']);
    expect(root.stdout).not.toMatch(/\bls\b|issue\b(?!s)/);
  });
});

describe('failures', () => {
  const operation = (code: ErrorCode, cause?: unknown) =>
    new BackofficeError({ code, text: 'Text.' }, { cause });

  test.each<[number, string, unknown]>([
    [1, 'a command that failed', new FailedError('no')],
    [1, 'an unexpected error', new Error('oh')],
    [1, 'a conflict', operation('conflict')],
    [1, 'a failure of the service', operation('failed')],
    [1, 'a busy service', operation('busy')],
    [2, 'wrong usage', new UsageError('how')],
    [2, 'an invalid variable', new ConfigError('PORT')],
    [2, 'invalid input', operation('invalid')],
    [2, 'input that is too large', operation('too_large')],
    [3, 'something that does not exist', new NotFoundError('gone')],
    [3, 'an unknown endpoint', operation('not_found')],
    [4, 'no session', operation('unauthenticated')],
    [4, 'an insufficient role', operation('forbidden')],
    [4, 'too many attempts', operation('rate_limited')],
    [4, 'an unreachable server', new NotConnectedError('where')],
    [4, 'an embedded Postgres that does not start', new EmbeddedPostgresError('why')],
    [4, 'an unreachable database', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    [
      4,
      'an operation with an unreachable database',
      operation('failed', Object.assign(new Error(), { code: '57P01' })),
    ],
  ])('returns exit code %i for %s', (code, _what, error) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

describe('the program', () => {
  test.each(topLevelNames)('loads only `%s` if it is named', async (name) => {
    const program = createRoot();
    await addNeededCommands(program, name);
    expect(program.commands.map((command) => command.name())).toEqual([name]);
  });

  test.each([undefined, 'unknown', '__proto__', 'help'])(
    'names every command for the name %s',
    async (name) => {
      const program = createRoot();
      await addNeededCommands(program, name);
      expect(program.commands.map((command) => command.name())).toEqual(topLevelNames);
      expect(program.helpInformation()).toBe((await createProgram()).helpInformation());
    },
  );
});
