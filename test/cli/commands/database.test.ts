import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, openSync } from 'node:fs';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeBaseline, makeFormerSchema, namesAfterBaseline } from '../../db/migrate/schemas.ts';
import { queryRows, wrongCounters } from '../../support/postgres/seeded.ts';
import { withClient } from '../../support/postgres/server.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  databaseHere,
  type TestDatabase,
  untilWaitedFor,
} from '../../support/postgres.ts';
import { executable, startBackoffice, withoutEnvironment } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { failed, failedLike } from '../commands-here.ts';

describe('backup and restore', () => {
  const own = databaseHere();

  beforeAll(() =>
    // More than pipes and sockets hold.
    own.sql(`
      insert into settings (setting_key, setting_value)
      select 'large-' || n, (select string_agg(encode(sha256((n || ':' || k)::bytea), 'hex'), '') from generate_series(1, 50) k)
      from generate_series(1, 1500) n
    `),
  );

  /** Starts a backup whose output is a pipe or an open file. */
  function backUp(output: 'pipe' | number): ChildProcess {
    return spawn(process.execPath, [executable, 'backup', '-'], {
      env: { ...withoutEnvironment(), DATABASE_URL: own.url },
      stdio: ['ignore', output, 'pipe'],
    });
  }

  async function endOf(command: ChildProcess) {
    const [stderr, [code]] = await Promise.all([text(command.stderr as Readable), once(command, 'close')]);
    return { code, stderr };
  }

  /** The connections that still copy rows. */
  const copying = () =>
    own.sql(
      `select state, query from pg_stat_activity where datname = current_database() and query like 'copy %'`,
    );

  test.each(['a pipe', 'a redirected standard output'])(
    'a backup on %s ends, and is whole',
    async (output) => {
      const file = join(await temporaryFolder(), 'backup.gz');
      const command = backUp(output === 'a pipe' ? 'pipe' : openSync(file, 'wx'));
      const ended = endOf(command);
      if (command.stdout !== null) await pipeline(command.stdout, createWriteStream(file));
      const stderr = expect.stringMatching(/^Wrote [\d,]+ rows of \d+ tables/);
      expect(await ended).toEqual({ code: 0, stderr });
      expect(gunzipSync(await readFile(file)).toString()).toMatch(/\n\{"sha256":"[0-9a-f]{64}"\}\n$/);
    },
  );

  test('of two backups at once to one name one is whole and the other says so, and neither uses a file that is there', async () => {
    const folder = await temporaryFolder();
    const [file, other] = [join(folder, 'backup.gz'), join(folder, 'other')];
    await writeFile(other, 'of somebody else');
    await symlink(other, `${file}.partial`);
    const both = 'for each in 1 2; do "$0" "$1" backup "$2" & done; wait';
    const commands = spawn('sh', ['-c', both, process.execPath, executable, file], {
      env: { ...withoutEnvironment(), DATABASE_URL: own.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = endOf(commands);
    await withClient(own.url, async (client) => {
      await client.query('begin; lock table settings in access exclusive mode');
      await untilWaitedFor(client, 2);
      await client.query('commit');
    });
    const { stderr } = await ended;
    expect(stderr).toMatch(/^Wrote [\d,]+ rows of \d+ tables/m);
    expect(stderr).toContain(`backoffice: ${file} exists already. Name a new file.\n`);
    expect(gunzipSync(await readFile(file)).toString()).toMatch(/\n\{"sha256":"[0-9a-f]{64}"\}\n$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(other, 'utf8')).toBe('of somebody else');
    expect((await readdir(folder)).sort()).toEqual(['backup.gz', 'backup.gz.partial', 'other']);
  });

  test('a backup whose reader ends, or that a full disk does not take, fails with one sentence', async () => {
    const command = backUp('pipe');
    const ended = endOf(command);
    command.stdout?.once('data', () => command.stdout?.destroy());
    const gone = 'backoffice: The program that reads the backup has ended. No backup was written.\n';
    expect(await ended).toEqual({ code: 1, stderr: gone });
    const full = 'backoffice: Cannot write the output (ENOSPC). It is incomplete.\n';
    expect(await endOf(backUp(openSync('/dev/full', 'w')))).toEqual({ code: 1, stderr: full });
    await expect.poll(copying).toEqual([]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a backup whose reader does not read', async (signal, code) => {
    const command = backUp('pipe');
    const ended = endOf(command);
    // The first bytes have arrived. Nobody takes more.
    if (command.stdout !== null) await once(command.stdout, 'readable');
    command.kill(signal);
    // The process ends although what it has written is not read.
    await once(command, 'exit');
    command.stdout?.resume();
    expect(await ended).toEqual({ code, stderr: 'backoffice: Stopped. No backup was written.\n' });
    await expect.poll(copying).toEqual([]);
  });
});

describe('backoffice migrate', () => {
  /** Runs it on that database. */
  const migrateIn = ({ url, drop }: TestDatabase) => {
    onTestFinished(drop);
    return (words: string) => backoffice(['migrate', ...words.split(' ')], { env: { DATABASE_URL: url } });
  };

  test('shows, plans and applies migrations, and creates none without a name for its file', async () => {
    const migrate = migrateIn(await createEmptyDatabase());
    expect((await migrate('status')).stdout).toMatch(/0001_\w+\tpending/);
    expect((await migrate('up --dry-run')).stdout).toMatch(/^Would apply 0001_/);
    expect((await migrate('up')).stdout).toMatch(/^Applied 0001_/);
    expect(await migrate('up')).toMatchObject({ stdout: 'The schema is up to date.\n', stderr: '' });
    const { migrations } = JSON.parse((await migrate('status --json')).stdout);
    const appliedAt = expect.stringMatching(/Z$/);
    expect(migrations[0]).toEqual({ name: '0001_functions', state: 'applied', appliedAt });
    for (const words of ['down', 'create Bad!'])
      expect(await migrate(words)).toMatchObject({ code: 2, stdout: '' });
  });

  test('says how much disk an upgrade needs, and what it applies', async () => {
    const database = await createTestDatabase();
    const migrate = migrateIn(database);
    await makeBaseline(database.url);
    const disk = /^The migrations need up to \d+ MB of free disk on the database server for a while\.\n/;
    const names = await namesAfterBaseline();
    const planned = await migrate('up --dry-run');
    expect(planned.stdout).toBe(names.map((name) => `Would apply ${name}\n`).join(''));
    expect(planned.stderr).toMatch(disk);
    const applied = await migrate('up');
    expect(applied.stdout).toBe(names.map((name) => `Applied ${name}\n`).join(''));
    const progress = `Applying ${names[0]} (1 of ${names.length})\n${names[0]} took `;
    expect(applied.stderr.replace(disk, '').startsWith(progress)).toBe(true);
  });

  test('adopts a database of 0.2.0, and refuses an older one', async () => {
    const database = await createTestDatabase();
    const migrate = migrateIn(database);
    await makeFormerSchema(database.url, 49);
    const planned = /^Would adopt the schema of Backoffice 0\.2\.0\nWould apply 0014_labels\n/;
    expect((await migrate('up --dry-run')).stdout).toMatch(planned);
    expect(await migrate('up')).toMatchObject({
      stdout: expect.stringMatching(/^Applied 0014_labels\n/),
      stderr: expect.stringContaining(
        'Adopted the schema of Backoffice 0.2.0. Its migrations now count as the first ones of this version.\n',
      ),
    });
    await makeFormerSchema(database.url, 47);
    const old =
      'The schema of this database is older than that of Backoffice 0.2.0. Upgrade to 0.2.0 first, then to this version.';
    for (const words of ['up', 'up --dry-run', 'status'])
      expect(await migrate(words)).toEqual(failed(1, old));
  });
});

describe('backoffice seed', () => {
  let database: TestDatabase;
  let env: { DATABASE_URL: string };

  beforeEach(async () => {
    database = await createTestDatabase();
    env = { DATABASE_URL: database.url };
  });

  afterEach(() => database.drop());

  const seed = (...args: string[]) => backoffice(['seed', ...args], { env });

  async function countIssues(): Promise<number> {
    const count = 'select count(*)::integer as issues from issues';
    return (await queryRows<{ issues: number }>(database, count))[0]?.issues ?? 0;
  }

  /** Removes the progress lines, which are written every ten seconds. */
  const withoutProgress = (stderr: string) => stderr.replaceAll(/^[\d,]+ of [\d,]+ .*\n/gm, '');

  test('fills an empty database once, and empties it', async () => {
    const made = await seed();
    expect({ ...made, stderr: withoutProgress(made.stderr) }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Created 500 issues, 40 conversations with \d+ messages, 5 settings, .*\n$/,
      ),
      stderr: '',
    });
    expect(await wrongCounters(database)).toEqual([]);
    const filled =
      'The database already has issues or conversations. Choose an empty one with BACKOFFICE_DATA or ' +
      'DATABASE_URL, or add to this one with --append.';
    expect(await seed()).toEqual(failed(1, filled));
    expect(await seed('--remove')).toEqual(failedLike(2, 'Remove the example data,'));
    expect(await seed('--remove', '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Removed 4,\d\d\d rows of example data\.\n$/),
    });
    expect(await seed('--remove', '--yes')).toMatchObject({ stdout: 'There is no example data.\n' });
    expect(await wrongCounters(database)).toEqual([]);
    expect(await seed()).toMatchObject({ code: 0 });
  });

  test('fills an empty database once if two start at the same time', async () => {
    const args = ['seed', '--issues', '7', '--conversations', '0'];
    const both = [startBackoffice(args, { env }), startBackoffice(args, { env })];
    const codes = await Promise.all(both.map(async ({ finished }) => (await finished).code));
    expect(codes.toSorted()).toEqual([0, 1]);
    expect(await countIssues()).toBe(7);
  });

  test('creates the requested numbers, and adds to them', async () => {
    const flags = ['--issues', '12', '--conversations', '3', '--json'];
    const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
    const made = { issues: 12, conversations: 3, randomSeed: 1, until };
    expect(JSON.parse((await seed(...flags)).stdout)).toMatchObject(made);
    const append = ['--append', '--random-seed', '2', '--jq', '[.issues, .settings, .randomSeed]'];
    expect((await seed(...flags, ...append)).stdout).toBe('[12,0,2]\n');
    expect(await countIssues()).toBe(24);
  });

  test('leaves complete batches, and says how many rows there are, if it is stopped', async () => {
    const args = ['seed', '--issues', '5000000', '--conversations', '0'];
    const stopped = await withClient(database.url, async (client) => {
      await client.query('begin');
      await client.query('lock table issues in share mode');
      const command = startBackoffice(args, { env });
      await untilWaitedFor(client);
      command.process.kill('SIGINT');
      await client.query('commit');
      return await command.finished;
    });
    // One batch, or two if the machine stalls before the signal is seen.
    const issues = await countIssues();
    expect(issues % 5_000).toBe(0);
    const said = `backoffice: Stopped after creating ${issues.toLocaleString('en')} issues, 0 conversations`;
    expect(stopped).toEqual({ code: 130, stdout: '', stderr: expect.stringContaining(said) });
    expect(await wrongCounters(database)).toEqual([]);
  });
});

test('`backoffice seed --issues -1` is refused before it opens a database', async () => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const refused = failedLike(2, 'a whole number from 0');
  expect(await backoffice(['seed', '--issues', '-1'], { env })).toMatchObject(refused);
});
