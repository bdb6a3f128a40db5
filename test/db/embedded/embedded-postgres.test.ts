import { appendFile, chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { findBinaries } from '../../../src/db/embedded/programs.ts';
import { runningPid, temporaryDataDirectory } from '../../support/postgres/embedded.ts';
import { withClient } from '../../support/postgres/server.ts';

/** Makes a server and stops it. Returns its folder, and how to start it again. */
async function stoppedServer() {
  const dataDirectory = await temporaryDataDirectory();
  const start = () => joinEmbeddedPostgres({ dataDirectory, durable: false });
  await (await start()).close();
  return { home: join(dataDirectory, 'postgres'), start };
}

test('a new server is durable, closed to the network and has a random password', async () => {
  const parent = await temporaryDataDirectory();
  await chmod(parent, 0o755);
  const dataDirectory = join(parent, 'made', 'on', 'the way');
  const postgres = await joinEmbeddedPostgres({ dataDirectory });
  const urls = [postgres.superuserUrl, postgres.ownerUrl, postgres.url].map((url) => new URL(url));

  expect(urls.map(({ username }) => username)).toEqual([
    'backoffice',
    'backoffice_owner',
    'backoffice_runtime',
  ]);
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

test('durable: false turns off what protects data in a crash', async () => {
  const dataDirectory = await temporaryDataDirectory();
  const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false });
  expect(await settingsOf(postgres.superuserUrl)).toMatchObject({
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
  });
  await postgres.close();
});

test('a database gets an owner and a runtime role, with two processes at once and after a crash', async () => {
  const dataDirectory = await temporaryDataDirectory();
  const joinIt = () => joinEmbeddedPostgres({ dataDirectory, durable: false });
  const before = await joinIt();
  // As after a crash: one role is there, with another password than the file that is written next.
  await withClient(before.superuserUrl, (client) => client.query('drop owned by backoffice_runtime'));
  await withClient(before.superuserUrl, (client) =>
    client.query('grant temporary on database backoffice to public; drop role backoffice_runtime'),
  );
  for (const file of ['owner-password', 'runtime-password']) await rm(join(dataDirectory, 'postgres', file));
  await before.close();

  const [first, second] = await Promise.all([joinIt(), joinIt()]);
  expect([second.url, second.ownerUrl]).toEqual([first.url, first.ownerUrl]);
  await withClient(first.ownerUrl, (client) => client.query('create table later (id integer)'));
  await withClient(first.url, async (client) => {
    await client.query('insert into later values (1)');
    for (const refused of ['create table own (id integer)', 'create temp table own (id integer)'])
      await expect(client.query(refused)).rejects.toThrow('permission denied');
  });
  await Promise.all([first.close(), second.close()]);
});

test('a data directory of a version before 0.2.0 is an error', async () => {
  const dataDirectory = await temporaryDataDirectory();
  const joinIt = () => joinEmbeddedPostgres({ dataDirectory, durable: false });
  const older = await joinIt();
  await withClient(older.superuserUrl, (client) =>
    client.query('alter database backoffice owner to backoffice'),
  );
  await expect(joinIt()).rejects.toThrow('Upgrade to 0.2.0 first');
  await older.close();
});

test('a large log is renamed at the next start', async () => {
  const { home, start } = await stoppedServer();
  const log = join(home, 'server.log');
  await appendFile(log, 'x'.repeat(6_000_000));

  await (await start()).close();
  expect((await stat(`${log}.1`)).size).toBeGreaterThan(6_000_000);
  expect((await stat(log)).size).toBeLessThan(100_000);
});

test('a failed start is an error with the reason and the log file', async () => {
  const { home, start } = await stoppedServer();
  await appendFile(join(home, 'data', 'postgresql.conf'), 'no_such_setting = 1\n');

  await expect(start()).rejects.toThrow(
    /did not start: .*FATAL.*configuration file.*\(log: .*postgres\/server\.log\)\.$/,
  );
});

test('a start that logs nothing does not report the log of an earlier one', async () => {
  const { home, start } = await stoppedServer();
  const log = join(home, 'server.log');
  await appendFile(log, 'FATAL:  from an earlier start\n');
  await chmod(log, 0o400);
  await expect(start()).rejects.toThrow(/did not start: it logged nothing \(log: .*\)\.$/);
});

test('a missing password file is an error that says what to do', async () => {
  const { home, start } = await stoppedServer();
  const password = join(home, 'password');
  await rm(password);
  await expect(start()).rejects.toThrow(
    `The password file of the embedded Postgres, ${password}, is missing. Restore the file password next to its ` +
      'data directory, or set BACKOFFICE_DATA to another directory.',
  );
});

test('data of another major version is an error', async () => {
  const dataDirectory = await temporaryDataDirectory();
  const data = join(dataDirectory, 'postgres', 'data');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'PG_VERSION'), '17\n');

  await expect(joinEmbeddedPostgres({ dataDirectory })).rejects.toThrow(
    /was created by Postgres 17, but this is Postgres 18\. .* BACKOFFICE_DATA/,
  );
});

test('a platform without binaries is an error that names DATABASE_URL', async () => {
  await expect(findBinaries('sunos-x64')).rejects.toThrow(/sunos-x64\. Set DATABASE_URL/);
});

async function settingsOf(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'SELECT name, setting FROM pg_settings',
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  });
}
