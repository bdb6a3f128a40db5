import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackupError } from '../../../src/db/backup/format.ts';
import { restoreBackup } from '../../../src/db/backup/restore-backup.ts';
import type { EndedAccess } from '../../../src/db/backup/restore-target.ts';
import { writeBackup } from '../../../src/db/backup/write-backup.ts';
import { migrationsFolder } from '../../../src/db/migrate/files.ts';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { migrationStatus } from '../../../src/db/migrate/status.ts';
import { queryRows, withSeededDatabase, wrongCounters } from '../../support/postgres/seeded.ts';
import { withClient } from '../../support/postgres/server.ts';
import {
  asOwner,
  asRuntime,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { makeFormerSchema, schemaSnapshot } from '../migrate/schemas.ts';

const opened: TestDatabase[] = [];
let backup: Buffer;

async function keep(creating: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await creating;
  opened.push(database);
  return database;
}
const emptyDatabase = () => keep(createEmptyDatabase());
const migratedDatabase = () => keep(createTestDatabase());

const program = { version: '0.2.0', commit: 'a'.repeat(40) };

async function backUp(databaseUrl: string): Promise<Buffer> {
  const output = new PassThrough();
  const written = buffer(output);
  await writeBackup({ databaseUrl, program, output });
  return await written;
}

const restore = (
  databaseUrl: string,
  content: Buffer,
  replace = false,
  options: { end?: EndedAccess; folder?: string } = {},
) =>
  restoreBackup({
    databaseUrl: asOwner(databaseUrl),
    runtimeUrl: asRuntime(databaseUrl),
    input: Readable.from([content]),
    replace,
    ...options,
  });

/** Everything after the header, without the hash, which covers the header too. */
const rowsOf = (content: Buffer) => gunzipSync(content).toString('utf8').split('\n').slice(1, -2).join('\n');

/** Changes the text of a backup and leaves its hash. */
const edited = (content: Buffer, edit: (text: string) => string) =>
  gzipSync(edit(gunzipSync(content).toString('utf8')));

beforeAll(async () => {
  await withSeededDatabase({ issues: 50, conversations: 10 }, async ({ url }) => {
    const strange = `tab\t, newline\n, backslash \\. and\n\\.\nend`;
    await withClient(url, (client) =>
      client.query(`insert into settings (setting_key, setting_value) values ('strange', $1)`, [strange]),
    );
    backup = await backUp(url);
  });
});

afterAll(async () => {
  for (const database of opened) await database.drop();
});

describe('a backup', () => {
  test('restores every row, over what the database holds if that is asked for, and not while others use it', async () => {
    const target = await migratedDatabase();
    await withClient(target.url, async (client) => {
      await client.query(`insert into issues (title) values ('kept')`);
      await expect(restore(target.url, backup)).rejects.toThrow('in use by another connection.');
    });
    await expect(restore(target.url, backup)).rejects.toThrow(
      'The database has content in the table issues.',
    );
    await restore(target.url, backup, true);
    expect(rowsOf(await backUp(target.url))).toBe(rowsOf(backup));
    // The triggers work again.
    await queryRows(target, `insert into issues (title) values ('new')`);
    expect(await wrongCounters(target)).toEqual([]);
  });

  test('brings back tokens and recovery codes unless they are to end, and nothing else that opens an account', async () => {
    const source = await migratedDatabase();
    await queryRows(
      source,
      `insert into admins (id, email, username, role) values ('ada', 'ada@example.com', 'Ada', 'superadmin');
       insert into api_tokens (name, token_hash, role, created_by) values ('nightly', sha256('t'), 'user', 'tests');
       insert into admin_recovery_codes (id, admin_id, sealed_hash) values ('1', 'ada', 'one'), ('2', 'ada', 'two');
       insert into sessions (sid, sess, expire) values ('s', '{"adminId":"ada"}', 'infinity');
       insert into sign_in_challenges (digest, admin_id, password_digest, methods, expires_at)
       values ('d', 'ada', 'p', '{totp}', 'infinity');
       insert into password_resets (admin_id, token_hash, expires_at) values ('ada', 'r', 'infinity');
       insert into invitations (email, role, token_hash, invited_by, expires_at)
       values ('eve@example.com', 'admin', 'i', 'ada', 'infinity');
       insert into device_sign_ins (device_hash, user_digest, name, expires_at) values ('v', 'u', 'TV', 'infinity')`,
    );
    const content = await backUp(source.url);
    const target = await emptyDatabase();
    expect((await restore(target.url, content)).kept).toEqual({ tokens: 1, accountsWithCodes: 1 });
    const left = `
      select (select count(*)::integer from admins) as admins,
        (select count(*)::integer from sessions) + (select count(*)::integer from sign_in_challenges)
        + (select count(*)::integer from password_resets) + (select count(*)::integer from invitations)
        + (select count(*)::integer from device_sign_ins) as ended`;
    expect(await queryRows(target, left)).toEqual([{ admins: 1, ended: 0 }]);
    const triggers = `
      select tgrelid::regclass::text as "table", tgname, tgenabled from pg_trigger
      where not tgisinternal and tgrelid::regclass::text not like 'graphile_worker.%' order by 1, 2`;
    expect(await queryRows(target, triggers)).toEqual(await queryRows(source, triggers));

    const ended = await restore(target.url, content, true, { end: { tokens: true, recoveryCodes: true } });
    expect(ended.kept).toEqual({ tokens: 0, accountsWithCodes: 0 });
    const tokens = 'select name, revoked_at is not null as revoked from api_tokens';
    expect(await queryRows(target, tokens)).toEqual([{ name: 'nightly', revoked: true }]);
  });

  test('made while others write has the rows of one moment', async () => {
    const target = await emptyDatabase();
    await withSeededDatabase({ issues: 2_000, conversations: 50 }, async ({ url }) => {
      let writing = true;
      let written = 0;
      const writer = withClient(url, async (client) => {
        while (writing) {
          await client.query(`insert into issues (title, severity) values ('new', 'High')`);
          await client.query(
            `insert into conversation_messages (conversation_id, sender_type, content)
             select id, 'visitor', 'new' from conversations order by id limit 3`,
          );
          written += 1;
        }
      });
      // The backup begins among the writes.
      await expect.poll(() => written).toBeGreaterThan(0);
      const made = await backUp(url).finally(() => {
        writing = false;
      });
      await writer;
      await restore(target.url, made);
    });
    // A counter and its rows, or two rows of one statement, of two moments would differ.
    expect(await wrongCounters(target)).toEqual([]);
    const messages = `select count(*)::integer % 3 as rest from conversation_messages where content = 'new'`;
    expect(await queryRows(target, messages)).toEqual([{ rest: 0 }]);
  });
});

describe('a backup of an older schema', () => {
  const schemaOf = ({ url }: TestDatabase) => withClient(url, schemaSnapshot);
  const rightsOf = (database: TestDatabase) =>
    queryRows(database, `select relname, relacl::text from pg_class where relkind in ('r', 'S') order by 1`);

  const notApplied = async (options: Parameters<typeof migrationStatus>[0]) =>
    (await migrationStatus(options)).filter(({ state }) => state !== 'applied');

  /** A backup of a database with the schema of former migrations, with a job worker and a setting. */
  async function formerBackup(newest: number): Promise<Buffer> {
    const former = await migratedDatabase();
    await makeFormerSchema(former.url, newest);
    await queryRows(
      former,
      `insert into job_workers (name, seen_at) values ('worker', now());
       insert into settings (setting_key, setting_value) values ('kept', 'x')`,
    );
    return await backUp(former.url);
  }

  test('0048 of the former migrations is restored', async () => {
    const content = await formerBackup(48);
    const fresh = await migratedDatabase();
    const schema = await schemaOf(fresh);
    for (const [target, replace] of [
      [await emptyDatabase(), false],
      [fresh, true],
    ] as const) {
      await restore(target.url, content, replace);
      expect(await queryRows(target, 'select name, setting_key from job_workers, settings')).toEqual([
        { name: 'worker', setting_key: 'kept' },
      ]);
      expect(await schemaOf(target)).toEqual(schema);
      expect(await notApplied({ databaseUrl: target.url })).toEqual([]);
    }
  });

  test('is restored over a newer schema, which stays as it was if the file is damaged', async () => {
    // That of a build with one more migration.
    const folder = await temporaryFolder();
    await cp(migrationsFolder(), folder, { recursive: true });
    await writeFile(
      join(folder, '9001_newer.sql'),
      `alter table settings add column extra text;
       create function extra() returns integer language sql return 1;
       create table extras (id integer default extra());`,
    );
    const target = await migratedDatabase();
    await migrateUp({ databaseUrl: asOwner(target.url), folder });
    const described = async () => [await schemaOf(target), await rightsOf(target)];
    const before = await described();
    const insert = `insert into settings (setting_key, setting_value, extra) values ('mine', 'x', 'y')`;
    await queryRows(target, insert);
    const settings = () => queryRows(target, 'select setting_key from settings where extra is not null');
    const damaged = restore(target.url, backup.subarray(0, -40), true, { folder });
    await expect(damaged).rejects.toThrow('Nothing was restored.');
    expect(await settings()).toEqual([{ setting_key: 'mine' }]);
    expect(await described()).toEqual(before);

    await restore(target.url, backup, true, { folder });
    expect(await settings()).toEqual([]);
    expect(rowsOf(await backUp(target.url))).toContain('strange');
    expect(await described()).toEqual(before);
    expect(await wrongCounters(target)).toEqual([]);
    expect(await notApplied({ databaseUrl: target.url, folder })).toEqual([]);
  });

  test('0047 of the former migrations is refused, with the version that can restore it', async () => {
    const { url } = await emptyDatabase();
    await expect(restore(url, await formerBackup(47))).rejects.toThrow(
      'with the schema 0047_events_after. Restore it with 0.2.0, and make a new backup.',
    );
  });
});

describe('a backup that cannot be completed', () => {
  let large: TestDatabase;

  beforeAll(async () => {
    large = await migratedDatabase();
    // More than the buffers of the sockets take, so that Postgres waits for a reader in the middle of a COPY.
    await queryRows(
      large,
      `set session_replication_role = replica;
       insert into issues (title, description)
       select 'large', repeat(md5(n::text), 500) from generate_series(1, 2000) as n`,
    );
  });

  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

  test.for<[why: string, fail: (output: Writable) => unknown, error: string | RegExp]>([
    ['the disk is full', (output) => output.destroy(full), 'The disk is full. No backup was written.'],
    ['the database is gone', () => queryRows(large, kill), /terminat/],
  ])('because %s ends with that error, and leaves no connection', async ([, fail, error]) => {
    // Never asks for a second chunk.
    const output = new Writable({ highWaterMark: 1, write: () => void fail(output) });
    await expect(writeBackup({ databaseUrl: large.url, program, output })).rejects.toThrow(error);
    // Without a connection there is no snapshot and no lock.
    const left = `select query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    await expect.poll(() => queryRows(large, left)).toEqual([]);
  });

  test('nor restored, because that is stopped, also while it waits for the file, keeps the rows', async () => {
    const whole = await backUp(large.url);
    const target = await migratedDatabase();
    await queryRows(target, `insert into issues (title) values ('kept')`);
    const stop = new AbortController();
    const restoring = restoreBackup({
      databaseUrl: asOwner(target.url),
      input: Readable.from([whole]),
      replace: true,
      onProgress: () => stop.abort('SIGTERM'),
      stop: stop.signal,
    });
    await expect(restoring).rejects.toBe('SIGTERM');
    const later = new AbortController();
    const input = new Readable({ read: () => later.abort('SIGINT') });
    const waiting = restoreBackup({ databaseUrl: target.url, input, replace: true, stop: later.signal });
    await expect(waiting).rejects.toBe('SIGINT');
    expect(await queryRows(target, 'select title from issues')).toEqual([{ title: 'kept' }]);
  });
});

describe('a file that is not a whole backup', () => {
  /** Edits the first row of the issues. */
  const issue = (edit: string) =>
    edited(backup, (text) => text.replace(/(\{"table":"issues".*\n)(.*\n)/, edit));
  let target: TestDatabase;

  beforeAll(async () => {
    target = await migratedDatabase();
    await queryRows(target, `insert into issues (title) values ('kept')`);
  });

  test.for<[what: string, content: () => Buffer, place: RegExp]>([
    [
      'is cut',
      () => backup.subarray(0, backup.length / 2),
      /is damaged in the table \w+: the file ends after \d+ bytes/,
    ],
    [
      'has a changed byte',
      () => Buffer.from(backup).fill(0xff, backup.length >> 1, (backup.length >> 1) + 8),
      /is damaged in the table \w+: byte \d+ of the file/,
    ],
    ['has a wrong value', () => issue('$1x$2'), /is damaged in the table issues: row 1 does not fit/],
    [
      'has another title',
      () => edited(backup, (text) => text.replace('strange', 'stronge')),
      /is damaged at its end: its checksum does not match/,
    ],
    ['lacks a row', () => issue('$1'), /is damaged in the table issues: it has 49 rows instead of 50/],
    [
      'is not compressed',
      () => Buffer.from('root:x:0:0:root:/root:/bin/bash\n'),
      /is not a backup, or it is damaged at its beginning/,
    ],
  ])('and %s changes nothing, and says where it is damaged', async ([, content, place]) => {
    const restoring = restore(target.url, content(), true);
    await expect(restoring).rejects.toThrow('Nothing was restored.');
    await expect(restoring).rejects.toThrow(place);
    expect(await queryRows(target, 'select title from issues')).toEqual([{ title: 'kept' }]);
    expect(await wrongCounters(target)).toEqual([]);
  });

  test('because a newer program made it is refused', async () => {
    const { url } = await emptyDatabase();
    const format = edited(backup, (text) => text.replace('"version":1', '"version":2'));
    await expect(restore(url, format)).rejects.toThrow(BackupError);
    const schema = edited(backup, (text) => text.replace('"migrations":[', '"migrations":["9999_new",'));
    await expect(restore(url, schema)).rejects.toThrow(
      `another version of Backoffice, 0.2.0 (commit ${program.commit}), with the schema`,
    );
  });
});

describe('the commands', () => {
  test('write a file that only its owner reads, never over another, and restore it', async () => {
    const file = join(await temporaryFolder(), 'backup.gz');
    await withSeededDatabase({ issues: 20, conversations: 5 }, async ({ url }) => {
      const run = (...words: string[]) => backoffice(words, { env: { DATABASE_URL: url } });
      expect((await run('backup', file)).code).toBe(0);
      const exists = `backoffice: ${file} exists already. Name a new file.\n`;
      expect(await run('backup', file)).toMatchObject({ code: 1, stderr: exists });
      expect((await run('restore', file)).stderr).toContain('add --replace to delete everything');
      expect(await run('restore', file, '--replace')).toMatchObject({ code: 2 });
      expect(await run('restore', file, '--replace', '--yes')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Restored [\d,]+ rows of \d+ tables\.\n$/),
        stderr: expect.stringMatching(/^The database has .*20 issues/m),
      });
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(gunzipSync(await readFile(file)).toString('utf8')).toMatch(/^\{"format":"backoffice-backup",/);
  });

  test('end the tokens or the recovery codes that a restore would bring back, as asked', async () => {
    const file = join(await temporaryFolder(), 'backup.gz');
    const database = await migratedDatabase();
    await queryRows(
      database,
      `insert into admins (id, email, username, role) values ('ada', 'ada@example.com', 'Ada', 'superadmin');
       insert into api_tokens (name, token_hash, role, created_by) values ('nightly', sha256('t'), 'user', 'tests');
       insert into admin_recovery_codes (id, admin_id, sealed_hash) values ('1', 'ada', 'one')`,
    );
    const run = (...words: string[]) => backoffice(words, { env: { DATABASE_URL: database.url } });
    expect((await run('backup', file)).code).toBe(0);
    const remarksOf = async (option: string) =>
      (await run('restore', file, '--replace', '--yes', option)).stderr;
    const withoutTokens = await remarksOf('--revoke-tokens');
    expect(withoutTokens).toContain('1 account has its recovery codes of that time');
    expect(withoutTokens).not.toContain('API token is valid');
    const withoutCodes = await remarksOf('--remove-recovery-codes');
    expect(withoutCodes).toContain('1 API token is valid as when the backup was made');
    expect(withoutCodes).not.toContain('recovery codes of that time');
  });
});
