import { spawnSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { grantDataDirectoryAccess } from '../../../src/db/embedded/cluster.ts';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { findBinaries, findOsUser, runnableBinaries, runProgram } from '../../../src/db/embedded/programs.ts';
import { keptSecret } from '../../../src/db/embedded/secrets.ts';
import {
  countMembers,
  queryAnswer,
  runningPid,
  startMember,
  startMemberProcess,
  stoppedServer,
  temporaryDataDirectory,
  waitUntil,
} from '../../support/postgres/embedded.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { withClient } from '../../support/postgres/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** For what happens rarely: each of these starts several servers. */
const variant = test.runIf(isSlowRun);

/** Joins the server of a data directory, or starts it. */
const joinServer = (dataDirectory: string) => joinEmbeddedPostgres({ dataDirectory, durable: false });

const settingsOf = (url: string) =>
  queryAnswer(url, 'SELECT json_object_agg(name, setting) AS answer FROM pg_settings');

test('a new server is durable, closed to the network and has a random password', async () => {
  const parent = await temporaryDataDirectory();
  await chmod(parent, 0o755);
  const dataDirectory = join(parent, 'made', 'on', 'the way');
  const postgres = await joinEmbeddedPostgres({ dataDirectory });
  const urls = [postgres.superuserUrl, postgres.ownerUrl, postgres.url].map((url) => new URL(url));

  const roles = ['backoffice', 'backoffice_owner', 'backoffice_runtime'];
  expect(urls.map(({ username }) => username)).toEqual(roles);
  for (const { hostname, pathname, password } of urls) {
    expect({ hostname, pathname }).toEqual({ hostname: '127.0.0.1', pathname: '/backoffice' });
    expect(password).toMatch(/^[\w-]{43}$/);
  }
  expect(await settingsOf(postgres.superuserUrl)).toMatchObject({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    logging_collector: 'off',
    max_connections: '200',
    password_encryption: 'scram-sha-256',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    TimeZone: 'UTC',
    unix_socket_directories: '',
  });
  const home = join(dataDirectory, 'postgres');
  for (const file of ['password', 'owner-password', 'runtime-password'])
    expect((await stat(join(home, file))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(home, 'data', 'pg_hba.conf'), 'utf8')).not.toMatch(/^[^#]*\btrust\b/m);

  await postgres.close();
  expect(await runningPid(dataDirectory)).toBeUndefined();
});

test('a database that need not be durable gets an owner and a runtime role, with any variables of Postgres, two processes at once and after a crash', async () => {
  // The shell may have them for another server.
  const shell = {
    PGHOST: '192.0.2.1',
    PGPORT: '1',
    PGUSER: 'nobody',
    PGPASSWORD: 'wrong',
    PGDATABASE: 'other',
    ...{
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGOPTIONS: '-c no.such=1 -c wrong',
      PGSERVICE: 'other',
    },
    ...{
      PGPASSFILE: '/nowhere',
      PGSERVICEFILE: '/nowhere',
      PGDATA: '/nowhere',
      PGTZ: 'Mars',
      PGAPPNAME: 'psql',
    },
    ...{
      PGSSLROOTCERT: '/nowhere',
      PGTARGETSESSIONATTRS: 'standby',
      PGCONNECT_TIMEOUT: '1',
      PGHOSTADDR: '192.0.2.1',
    },
    ...{
      PGCHANNELBINDING: 'require',
      PGREQUIREAUTH: 'none',
      PGCLIENTENCODING: 'LATIN1',
      PGSSLCERT: '/nowhere',
    },
  };
  for (const [name, value] of Object.entries(shell)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDirectory = await stoppedServer();
  const others = ['password', 'postgres.newer'];
  const ended = spawnSync('true').pid;
  const [left, ofLivingProcess] = [
    ['6a1f', `${ended}.1`, `${process.pid}.1`].map((end) => `postgres.new-${end}`),
    `postgres.new-${process.ppid}.1`,
  ];
  for (const name of [...others, ...left, ofLivingProcess])
    await mkdir(join(dataDirectory, name, 'data'), { recursive: true });
  const before = await joinServer(dataDirectory);
  // In a folder that the user of Postgres cannot enter, the directory has a copy of its programs too.
  const kept = (await readdir(dataDirectory)).filter((name) => name !== 'binaries');
  expect(kept.sort()).toEqual([...others, 'postgres', ofLivingProcess].sort());
  const notDurable = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };
  expect(await settingsOf(before.superuserUrl)).toMatchObject(notDurable);
  // As after a crash: one role is there, with another password than the file that is written next.
  await queryRows(
    before.superuserUrl,
    `drop owned by backoffice_runtime;
     grant temporary on database backoffice to public;
     drop role backoffice_runtime`,
  );
  for (const file of ['owner-password', 'runtime-password']) await rm(join(dataDirectory, 'postgres', file));
  await before.close();

  const [first, second] = await Promise.all([joinServer(dataDirectory), joinServer(dataDirectory)]);
  expect([second.url, second.ownerUrl]).toEqual([first.url, first.ownerUrl]);
  await queryRows(first.ownerUrl, 'create table later (id integer)');
  await withClient(first.url, async (client) => {
    await client.query('insert into later values (1)');
    for (const refused of ['create table own (id integer)', 'create temp table own (id integer)'])
      await expect(client.query(refused)).rejects.toThrow('permission denied');
  });
  await Promise.all([first.close(), second.close()]);
});

test('a data directory of a version before 0.2.0 is an error', async () => {
  const dataDirectory = await stoppedServer();
  const older = await joinServer(dataDirectory);
  await queryRows(older.superuserUrl, 'alter database backoffice owner to backoffice');
  await expect(joinServer(dataDirectory)).rejects.toThrow('Upgrade to 0.2.0 first');
  await older.close();
});

variant('a large log is renamed at the next start', async () => {
  const dataDirectory = await stoppedServer();
  const log = join(dataDirectory, 'postgres', 'server.log');
  await appendFile(log, 'x'.repeat(6_000_000));

  await (await joinServer(dataDirectory)).close();
  expect((await stat(`${log}.1`)).size).toBeGreaterThan(6_000_000);
  expect((await stat(log)).size).toBeLessThan(100_000);
});

test.for<[what: string, damage: (home: string) => Promise<unknown>, error: RegExp]>([
  [
    'a wrong setting',
    (home) => appendFile(join(home, 'data', 'postgresql.conf'), 'no_such_setting = 1\n'),
    /did not start: .*FATAL.*configuration file.*\(log: .*postgres\/server\.log\)\.$/,
  ],
  [
    'a missing password file',
    (home) => rm(join(home, 'password')),
    /The password file .*\/password, is missing\. Restore the file .* or set BACKOFFICE_DATA to another directory\.$/,
  ],
  [
    'data of another major version',
    (home) => writeFile(join(home, 'data', 'PG_VERSION'), '17\n'),
    /was created by Postgres 17, but this is Postgres 18\. .* BACKOFFICE_DATA/,
  ],
])('%s is an error that says what to do', async ([, damage, error]) => {
  const dataDirectory = await stoppedServer();
  await damage(join(dataDirectory, 'postgres'));
  await expect(joinServer(dataDirectory)).rejects.toThrow(error);
});

test.runIf(process.platform === 'linux')('a data directory that cannot be made is an error', async () => {
  const error = 'Cannot use the data directory /proc/x/y (ENOENT). Set BACKOFFICE_DATA to a directory';
  await expect(joinServer('/proc/x/y')).rejects.toThrow(error);
});

test('a secret is made once, belongs to its owner only, and may have a byte order mark', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const [one, other] = await Promise.all([keptSecret(folder, 'secret'), keptSecret(folder, 'secret')]);
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(other).toBe(one);
  expect(await readdir(folder)).toEqual(['secret']);
  expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
  await writeFile(join(folder, 'secret'), '\uFEFFrestored');
  expect(await keptSecret(folder, 'secret')).toBe('restored');
});

test('a platform without binaries is an error that names DATABASE_URL', async () => {
  await expect(findBinaries('sunos-x64')).rejects.toThrow(/sunos-x64\. Set DATABASE_URL/);
  // The package is there, and does not have what is looked for.
  const damaged = findBinaries(`${process.platform}-${process.arch}/none`);
  await expect(damaged).rejects.toThrow(
    /^Cannot read the embedded Postgres \(ERR_PACKAGE_PATH_NOT_EXPORTED\)/,
  );
});

describe('a shared server', () => {
  test('a killed member leaves the server running, and the next command joins it and stops it', async () => {
    const dataDirectory = await stoppedServer();
    const killed = await startMember(dataDirectory);
    const pid = await runningPid(dataDirectory);
    await killed.kill();

    const next = await joinServer(dataDirectory);
    expect(next.url).toBe(killed.url);
    expect(await runningPid(dataDirectory)).toBe(pid);
    // Until Postgres notices that the killed member is gone, no other member is the last one.
    await waitUntil(async () => (await countMembers(next.url)) === 1);
    await next.close();
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  variant('a command that joins while the last member leaves waits and starts the server again', async () => {
    const dataDirectory = await stoppedServer();
    const comeAndGo = async () => {
      for (let round = 0; round < 6; round++) {
        const postgres = await joinServer(dataDirectory);
        expect(await queryAnswer(postgres.url, 'SELECT 1 AS answer')).toBe(1);
        await postgres.close();
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  test("neither a kill during the first start nor the terminal's Ctrl-C disturbs the server", async () => {
    const dataDirectory = await temporaryDataDirectory();
    const killed = startMemberProcess(dataDirectory);
    await waitUntil(async () =>
      (await readdir(dataDirectory)).some((entry) => entry.startsWith('postgres.new-')),
    );
    killed.kill('SIGKILL');

    const member = await startMember(dataDirectory);
    const pid = await runningPid(dataDirectory);
    process.kill(-member.pid, 'SIGINT');
    expect(await queryAnswer(member.url, 'SELECT 1 AS answer')).toBe(1);
    expect(await runningPid(dataDirectory)).toBe(pid);
    expect(await member.leave()).toBe(0);
  });
});

// Postgres refuses to run as root, so root runs it as another user, which cannot enter every folder.
describe.runIf(process.getuid?.() === 0)('an embedded server of root', () => {
  test('binaries in a closed folder are copied once to the data directory and run from there', async () => {
    const dataDirectory = await temporaryDataDirectory();
    const user = await findOsUser(join(dataDirectory, 'postgres'));
    if (user) await grantDataDirectoryAccess(dataDirectory, user);
    const installed = await findBinaries();
    const closed = { ...installed, directory: join(await temporaryFolder(), 'native') };
    await cp(installed.directory, closed.directory, { recursive: true, verbatimSymlinks: true });

    const copy = () => runnableBinaries(closed, dataDirectory, user);
    const directory = join(dataDirectory, 'binaries', installed.version);
    expect(await Promise.all([copy(), copy()])).toMatchObject([{ directory }, { directory }]);
    expect((await runProgram(join(directory, 'bin', 'initdb'), ['--version'], user)).output).toContain('18');
    const { ino } = await lstat(directory);
    expect(await copy()).toMatchObject({ directory });
    expect((await lstat(directory)).ino).toBe(ino);
  });

  test('a data directory in a closed folder is an error that names that folder', async () => {
    const closed = await temporaryFolder();
    const error = `cannot enter ${closed}. Set BACKOFFICE_DATA`;
    await expect(joinServer(join(closed, 'deep', 'data'))).rejects.toThrow(error);
  });

  test("root runs another user's cluster as that user", async () => {
    const dataDirectory = await temporaryDataDirectory();
    const home = join(dataDirectory, 'postgres');
    await mkdir(home);
    expect((await findOsUser(home))?.name).toMatch(/postgres|nobody/);
    await runProgram('chown', ['12345:12346', home]);
    expect(await findOsUser(home)).toMatchObject({ uid: 12345, gid: 12346 });
  });
});
