import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FailedError, NotConnectedError, NotFoundError, UsageError } from '../../cli/errors.ts';
import { exitCodeOf } from '../../cli/failures.ts';
import { addNeededCommands, createProgram, createRoot, topLevelNames } from '../../cli/program.ts';
import { ConfigError } from '../../src/config.ts';
import { BackofficeError, type ErrorCode } from '../../src/contract/errors.ts';
import { EmbeddedPostgresError } from '../../src/db/embedded/programs.ts';
import { packageVersion } from '../../src/version.ts';
import { createEmptyDatabase, databaseHere } from '../support/postgres.ts';
import { executable, backoffice as ownProcess } from '../support/run/process.ts';
import { backoffice } from '../support/run.ts';
import { checksOf, containing, runIn } from './commands-here.ts';

const own = databaseHere();

describe('backoffice', () => {
  const { succeeds, fails } = checksOf(runIn(() => ({})));
  const nowhere = { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' };

  test('prints its version', async () => {
    for (const words of ['--version', '--debug --version']) await succeeds(words, packageVersion());
  });

  test('reports that a full disk does not take its output', () => {
    const output = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [executable, 'openapi'], {
      stdio: ['ignore', output, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(output);
    const sentence = 'backoffice: Cannot write the output (ENOSPC). It is incomplete.\n';
    expect({ status, stderr }).toEqual({ status: 1, stderr: sentence });
  });

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

  test('says what to do about a database without tables, and about one that is out of reach', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    const withoutTables = checksOf(runIn(() => ({ DATABASE_URL: empty.url })));
    const outdated = 'The database schema is out of date. Run `backoffice migrate up`.';
    for (const words of ['issues list', 'issues create Title', 'events tail'])
      await withoutTables.fails(1, words, outdated);

    const outOfReach = checksOf(runIn(() => nowhere));
    const unavailable = 'The database is unavailable. Check DATABASE_URL, and that Postgres is running.';
    await outOfReach.fails(4, 'tokens list', unavailable);
    const debugged = await outOfReach.fails(4, '--debug tokens list', /\n {4}at /);
    expect(debugged.stderr).not.toContain('hidden');
    const file = 'Cannot write /nowhere/backup.gz (ENOENT). Create its folder first.';
    await outOfReach.fails(1, 'backup /nowhere/backup.gz', file);
  });

  test.each([
    ['nonsense', 'unknown command'],
    ['isues list', 'Did you mean issues?'],
    ['issues lst', 'Did you mean list?'],
    ['migrate', 'Usage: backoffice migrate'],
    ['issues show --json 42', "'42' was taken as the value of --json. Write --json last."],
    ['issues update 42 --set-title x', 'Did you mean --title?'],
    ['issues delete --severity Low', "Did you mean --filter 'severity:…'?"],
    ['issues create Title --severity high,low', 'Give only one'],
    ['tokens create --name x --expires soon', 'a number of days'],
  ])('ends `%s` with exit code 2', async (words, sentence) => {
    await fails(2, words, containing(sentence));
  });

  test.each([
    ['issue ls --help', 'issues list', 'ls'],
    ['help token rm', 'tokens revoke', 'rm'],
    ['usage price ls --help', 'usage prices list', 'ls'],
  ])('`%s` is the help of %s, which names its other names', async (words, long, alias) => {
    const { stdout } = await succeeds(words, new RegExp(`^Usage: backoffice ${long} `));
    expect(stdout).toMatch(new RegExp(`^Aliases: ${alias}$`, 'm'));
  });
});

const operation = (code: ErrorCode, cause?: unknown) =>
  new BackofficeError({ code, text: 'Text.' }, { cause });
const postgres = (code: string) => Object.assign(new Error('refused'), { code });

test.each<[exitCode: number, codes: readonly ErrorCode[], others: readonly unknown[]]>([
  [1, ['conflict', 'failed', 'busy'], [new FailedError('no'), new Error('oh')]],
  [2, ['invalid', 'too_large'], [new UsageError('how'), new ConfigError('PORT')]],
  [3, ['not_found'], [new NotFoundError('gone')]],
  [
    4,
    ['unauthenticated', 'forbidden', 'rate_limited'],
    [
      ...[new NotConnectedError('where'), new EmbeddedPostgresError('why')],
      ...[postgres('ECONNREFUSED'), operation('failed', postgres('57P01'))],
    ],
  ],
])('the exit code is %i for %j and their like', (exitCode, codes, others) => {
  for (const error of [...codes.map((code) => operation(code)), ...others])
    expect(exitCodeOf(error), String(error)).toBe(exitCode);
});

test('the program loads the command that is named, or all if none is', async () => {
  const loadedFor = async (name: string | undefined) => {
    const program = createRoot();
    await addNeededCommands(program, name);
    return program;
  };
  for (const name of topLevelNames)
    expect((await loadedFor(name)).commands.map((command) => command.name())).toEqual([name]);
  for (const name of [undefined, 'unknown', '__proto__', 'help']) {
    const program = await loadedFor(name);
    expect(program.commands.map((command) => command.name())).toEqual(topLevelNames);
    expect(program.helpInformation()).toBe((await createProgram()).helpInformation());
  }
});

test('a defect of the program says so, and with --debug its stack has the places of the sources', async () => {
  const defect = `process.getBuiltinModule('node:os').userInfo = () => { throw new TypeError('no user'); };`;
  const env = {
    DATABASE_URL: own.url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defect)}`,
  };
  const sentence =
    'An unexpected error occurred. This is a defect of backoffice. Run the command again with --debug';
  expect(await ownProcess(['issues', 'list'], { env })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(sentence),
  });
  const { stderr } = await ownProcess(['issues', 'list', '--debug'], { env });
  expect(stderr).toMatch(/ {4}at .*cli\/access\/local\.ts:\d+:\d+/);
});

test('with --json, an error is a line of JSON on standard error', async () => {
  const errorOf = async (words: string) => {
    const { code, stdout, stderr } = await backoffice(words.split(' '), { env: { DATABASE_URL: own.url } });
    expect(stdout).toBe('');
    return { exit: code, ...JSON.parse(stderr) };
  };
  const error = 'No issue 99. Run `backoffice issues list` to see all.';
  expect(await errorOf('issues show 99 --json')).toEqual({ exit: 3, error, code: 'not_found' });
  expect(await errorOf('issues list --jsonl --lim 3')).toEqual({
    exit: 2,
    error: "unknown option '--lim'\n(Did you mean --limit?)",
    code: 'invalid',
  });
  expect(await errorOf('issues list --json nothing')).toMatchObject({ exit: 2, code: 'invalid' });
});
