import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ControlledPostgres, controlledPostgres } from '../support/postgres/control.ts';
import { withClient, withDatabase } from '../support/postgres/server.ts';
import { executable, withoutEnvironment } from '../support/run/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How long a command may take to end, on a machine that is three times slower than ours. */
const endMs = 6_000;
const unavailable = 'The database is unavailable. Check DATABASE_URL, and that Postgres is running.';
/** 64 MB that do not compress well: more than pipes and sockets hold. */
const fill = `
  insert into settings (setting_key, setting_value)
  select 'large-' || n, (select string_agg(encode(sha256((n || ':' || k)::bytea), 'hex'), '') from generate_series(1, 16) k)
  from generate_series(1, 60000) n`;

let postgres: ControlledPostgres;
let targetUrl: string;

beforeAll(async () => {
  postgres = await controlledPostgres();
  await withClient(postgres.url, (client) => client.query(fill));
  targetUrl = withDatabase(postgres.url, 'target');
});
afterAll(() => postgres.remove());

/** A running command, whose end is timed from the moment that `fail` causes it. */
function start(args: readonly string[], databaseUrl: string) {
  const env = { ...withoutEnvironment(), DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [executable, ...args], { env });
  const stderr = text(child.stderr);
  const closed = once(child, 'close');
  // A command that ends does not read the rest.
  child.stdin.on('error', () => {});
  return {
    child,
    async endsAfter(fail: () => unknown) {
      const failedAt = performance.now();
      await fail();
      const [code] = await closed;
      expect(performance.now() - failedAt).toBeLessThan(endMs);
      return { code, stderr: await stderr };
    },
  };
}

/** Returns the processes of the server that copy rows of the settings. */
async function copying(databaseUrl: string): Promise<number[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and state <> 'idle' and query ~ '^copy public."settings"'`,
    );
    return rows.map(({ pid }) => pid);
  });
}

/** Returns the process as soon as there is one. */
async function copyingProcess(databaseUrl: string): Promise<number> {
  await expect.poll(() => copying(databaseUrl), { interval: 20 }).toHaveLength(1);
  const [pid = 0] = await copying(databaseUrl);
  return pid;
}

/** What ends a command while the server copies rows for it, with its exit code and what it says of that. */
const ends = [
  ['on SIGINT', ({ child }) => child.kill('SIGINT'), 130],
  ['on SIGTERM', ({ child }) => child.kill('SIGTERM'), 143],
  ['when the database crashes', (_command, pid) => process.kill(pid, 'SIGKILL'), 4],
] satisfies [when: string, fail: (command: ReturnType<typeof start>, pid: number) => unknown, code: number][];

/** Waits until the server is back after a crash. */
const isBack = () => expect.poll(() => copying(postgres.url).catch(() => 'down')).toEqual([]);

describe('a backup', () => {
  /** Starts one that has written something, and whose connection waits for it. */
  async function startWriting() {
    const folder = await temporaryFolder();
    const command = start(['backup', join(folder, 'backup.gz')], postgres.url);
    const pid = await copyingProcess(postgres.url);
    const size = async () => {
      const [draft = ''] = await readdir(folder);
      return (await stat(join(folder, draft))).size;
    };
    await expect.poll(size, { interval: 20 }).toBeGreaterThan(100_000);
    return { folder, command, pid };
  }

  test.for(ends)('ends %s, and leaves no file and no connection', async ([, fail, code]) => {
    const { folder, command, pid } = await startWriting();
    expect(await command.endsAfter(() => fail(command, pid))).toEqual({
      code,
      stderr: `backoffice: ${code === 4 ? unavailable : 'Stopped. No backup was written.'}\n`,
    });
    expect(await readdir(folder)).toEqual([]);
    await isBack();
  });
});

describe('a restore', () => {
  let backup: Buffer;

  beforeAll(async () => {
    const { child } = start(['backup', '-'], postgres.url);
    backup = await buffer(child.stdout);
  });

  beforeEach(async () => {
    await withClient(postgres.url, async (client) => {
      await client.query('drop database if exists target with (force)');
      await client.query('create database target');
    });
    await once(start(['migrate', 'up'], targetUrl).child, 'close');
    await withClient(targetUrl, (client) =>
      client.query(`insert into settings (setting_key, setting_value) values ('kept', 'as it was')`),
    );
  });

  /** Starts one that has received half of the backup. */
  async function startRestoring() {
    const command = start(['restore', '-', '--replace', '--yes'], targetUrl);
    command.child.stdin.write(backup.subarray(0, backup.length / 2));
    return { command, pid: await copyingProcess(targetUrl) };
  }

  /** Checks that the target is as it was, and that nothing locks it. */
  async function isUnchanged() {
    await expect.poll(() => copying(targetUrl).catch(() => 'down')).toEqual([]);
    await withClient(targetUrl, async (client) => {
      await client.query(`set lock_timeout = '5s'`);
      const { rows } = await client.query(`select setting_value from settings where setting_key = 'kept'`);
      expect(rows).toEqual([{ setting_value: 'as it was' }]);
      await client.query(`update settings set setting_value = 'new' where setting_key = 'kept'`);
    });
  }

  test.for(ends)('ends %s, and changes nothing', async ([, fail, code]) => {
    const { command, pid } = await startRestoring();
    const said = `\nbackoffice: ${code === 4 ? unavailable : 'Stopped. Nothing was restored.'}\n`;
    const ended = await command.endsAfter(() => fail(command, pid));
    expect([ended.code, ended.stderr.slice(-said.length)]).toEqual([code, said]);
    await isUnchanged();
  });
});
