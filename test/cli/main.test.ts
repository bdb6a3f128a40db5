import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
import { temporaryFolder } from '../support/temporary-folder.ts';
import { checksOf, containing, runIn } from './commands-here.ts';

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
    ['issues update 42 --title x', 'Did you mean --set-title?'],
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

describe('the report of a crash', () => {
  const own = databaseHere();

  /** A defect in what every command on the database calls. Its text has data. */
  const defect = `process.getBuiltinModule('node:os').userInfo = () => { throw new TypeError('no user hunter2 of ada@example.com'); };`;

  test('a defect leaves a report that only its user can read, without secrets and data', async () => {
    const folder = await temporaryFolder();
    const env = {
      DATABASE_URL: own.url,
      BACKOFFICE_CONFIG: folder,
      BACKOFFICE_ENCRYPTION_KEY: 'f'.repeat(64),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defect)}`,
    };
    const args = ['settings', 'set', 'mail_password', 'hunter2', '--expected=bo_secret', '--json', 'value'];
    const { code, stdout, stderr } = await ownProcess(args, { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [name = '', ...others] = await readdir(join(folder, 'crashes'));
    expect(others).toEqual([]);
    const file = join(folder, 'crashes', name);
    expect(stderr).toContain(`Send the report in ${file} to its maintainers`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const report = await readFile(file, 'utf8');
    expect(report).toMatch(
      /^command +backoffice settings set <value> <value> --expected=<value> --json <value>$/m,
    );
    expect(report).toMatch(/^version +\d+\.\d+\.\d+\nnode +v24/m);
    expect(report).toMatch(/^variables .*DATABASE_URL, .*BACKOFFICE_ENCRYPTION_KEY/m);
    expect(report).toMatch(/^TypeError: the message is left out, because it may contain data\n {4}at /m);
    // The places are those of the sources, not of the bundle.
    expect(report).toMatch(/ {4}at .*cli\/access\/local\.ts:\d+:\d+/);
    const secrets = ['hunter2', 'ada@', 'ada%40', 'bo_', 'mail_password', 'ffff', 'postgres:', own.url];
    for (const secret of secrets) expect(report, secret).not.toContain(secret);
  });

  test('an error that has a sentence of its own is no defect', () => {
    expect(unexpectedError(operation('failed', new RangeError('x')))).toBeInstanceOf(RangeError);
    const refused = Object.assign(postgres('ECONNREFUSED'), { syscall: 'connect' });
    for (const error of [
      ...[operation('failed', refused), operation('failed'), new FailedError('No.'), new Error('No.'), 'No.'],
      ...[new ConfigError('why'), new EmbeddedPostgresError('why')],
    ])
      expect(unexpectedError(error), String(error)).toBeUndefined();
  });

  test.each([
    [new TypeError("Cannot read properties of undefined (reading 'ada@example.com')"), "reading '…'"],
    [new SyntaxError('Unexpected token \'h\', "hunter2" is not valid JSON'), 'the message is left out'],
    [new RangeError('Invalid time value'), 'RangeError: Invalid time value'],
    [
      Object.assign(new TypeError('Invalid hunter2'), { code: 'ERR_INVALID_URL' }),
      'TypeError (ERR_INVALID_URL)',
    ],
  ])('%o is reported without what may be data', (error, said) => {
    const [line = ''] = safeStack(error);
    expect(line).toContain(said);
    expect(line).not.toMatch(/ada|hunter2/);
  });
});
