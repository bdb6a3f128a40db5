import { sql } from 'slonik';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  withoutTimeouts,
} from '../../../src/db/connection/database.ts';
import { describeDatabaseError, isUniqueViolation, retryAfterOf } from '../../../src/db/connection/errors.ts';
import { leadsToPooler } from '../../../src/db/connection/inspect-server.ts';
import { unprepared } from '../../../src/db/connection/statements.ts';
import { openJobPool } from '../../../src/db/job-queue/pool.ts';
import { upsertSettings } from '../../../src/db/tables/settings.ts';
import { openQueryTap } from '../../support/postgres/control.ts';
import { databaseHere } from '../../support/postgres.ts';
import { startPoolerStandIn } from '../../support/receivers/pooler.ts';

const own = databaseHere();

/** Opens a pool with a single connection: work waits for ever if earlier work keeps it. */
function open(options: Partial<DatabaseOptions> = {}) {
  const db = openDatabase({ databaseUrl: own.url, maxConnections: 1, ...options });
  onTestFinished(() => db.close());
  return db;
}

const insert = (key: string) =>
  sql.unsafe`insert into settings (setting_key, setting_value) values (${key}, '')`;
const keys = sql.unsafe`select setting_key from settings order by 1`;
const pid = sql.unsafe`select pg_backend_pid()`;
const prepared = sql.unsafe`select count(*) from pg_prepared_statements where statement like ${'insert%'}`;

beforeEach(() => own.sql('delete from settings'));

describe('a statement', () => {
  test('is checked against its schema, and counts are numbers', async () => {
    const db = open();
    const counted = z.object({ n: z.int() });
    expect(await db.one(sql.type(counted)`select count(*) as n from settings`)).toEqual({ n: 0 });
    const wrong = db.one(sql.type(counted)`select ${'x'} as n`);
    await expect(wrong).rejects.toThrow('do not conform with the schema');
  });

  test('is prepared once, unless it is marked', async () => {
    const db = open();
    await db.query(insert('a'));
    await db.query(insert('b'));
    expect(await db.oneFirst(prepared)).toBe(1);
    await db.query(sql.unsafe`insert into settings values ('c', '') ${unprepared}`);
    expect(await db.oneFirst(prepared)).toBe(1);
  });

  test('that fails leaves the connection to the next one', async () => {
    const db = open();
    const before = await db.oneFirst(pid);
    await db.query(insert('a'));
    const error = await db.query(insert('a')).catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error, 'settings_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'admins_email_key')).toBe(false);
    expect(await db.oneFirst(pid)).toBe(before);
  });

  test('that still runs when its connection is closed rejects, and does not end the process', async () => {
    const db = open();
    const sleeping = db.query(sql.unsafe`select pg_sleep(60)`).catch(String);
    const running = `select from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(60)'`;
    await expect.poll(() => own.sql(running)).toHaveLength(1);
    await db.close();
    expect(await sleeping).toMatch(/Error/);
  });

  test('that takes too long is cancelled, unless its transaction lifts the timeout', async () => {
    const timeouts = { connectionMs: 1_000, statementMs: 100, lockMs: 0 };
    const db = open({ timeouts });
    const error = await db.query(sql.unsafe`select pg_sleep(9)`).catch((thrown: unknown) => thrown);
    expect(describeDatabaseError(error)).toBe('The database took too long to answer.');
    await own.sql(`
      create table slow (id integer);
      create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(2.5); return null; end $$;
      create constraint trigger sleep after insert on slow deferrable initially deferred
      for each row execute function sleep();
    `);
    // Longer than the client waits for an answer by default.
    await Promise.all([
      withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select pg_sleep(2.5)`)),
      // The commit does the work.
      withoutTimeouts(open({ timeouts }), (tx) => tx.query(sql.unsafe`insert into slow values (1)`)),
    ]);
    await own.sql('drop table slow; drop function sleep');
  });
});

describe('a transaction', () => {
  test.for<[what: string, fail: (tx: Database) => Promise<unknown>, error: string]>([
    ['whose work fails', () => Promise.reject(new Error('refused')), 'refused'],
    [
      'in which a statement has failed unnoticed',
      (tx) => tx.query(sql.unsafe`select 1 / 0`).catch(() => {}),
      'rolled back',
    ],
  ])('%s rejects, changes nothing, and leaves the connection to the next one', async ([, fail, error]) => {
    const db = open();
    const before = await db.oneFirst(pid);
    const failing = db.transaction(async (tx) => {
      await tx.query(insert('a'));
      await fail(tx);
    });
    await expect(failing).rejects.toThrow(error);
    expect(await db.anyFirst(keys)).toEqual([]);
    expect(await db.oneFirst(pid)).toBe(before);
  });

  test('goes on after a savepoint that was rolled back, and commits', async () => {
    const db = open();
    await db.transaction(async (tx) => {
      await tx.query(insert('a'));
      const failing = tx.transaction((savepoint) => savepoint.query(insert('a')));
      await expect(failing).rejects.toThrow();
      await tx.query(insert('b'));
    });
    expect(await db.anyFirst(keys)).toEqual(['a', 'b']);
  });
});

describe('a database error', () => {
  const withCode = (code: string, message = '') => Object.assign(new Error(message), { code });

  test.for([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a server that is shutting down', withCode('57P01')],
    ['a server without free connections', withCode('53300')],
    ['a connection that ends', new Error('Connection terminated unexpectedly')],
    ['a process that may open no more files', withCode('EMFILE', 'connect EMFILE 127.0.0.1:5432')],
  ] as const)('of %s says that the database is unavailable', ([, error]) => {
    expect(describeDatabaseError(error)).toBe('The database is unavailable.');
    expect(retryAfterOf(error)).toBeGreaterThan(0);
  });

  test('of a statement that was refused is not described, and not worth another attempt', () => {
    const error = withCode('23505', 'password of postgres://a:b@host');
    expect([describeDatabaseError(error), retryAfterOf(error)]).toEqual([undefined, undefined]);
  });
});

describe('a lock', () => {
  const row = z.object({ lock: z.int(), statement: z.int(), zone: z.string() });
  const settings = sql.type(row)`
    select current_setting('timezone') as zone,
      (select setting::integer from pg_settings where name = 'lock_timeout') as lock,
      (select setting::integer from pg_settings where name = 'statement_timeout') as statement
  `;

  test('statements of requests wait less than two seconds for a lock, and keep the options of the URL', async () => {
    const url = new URL(own.url);
    url.searchParams.set('options', '-c TimeZone=Asia/Kathmandu');
    const pool = open({ databaseUrl: url.href });
    const found = await pool.one(settings);
    // Longer than Postgres takes to find a deadlock.
    expect(found.lock).toBeGreaterThan(1_000);
    expect(found.lock).toBeLessThan(2_000);
    expect(found.zone).toBe('Asia/Kathmandu');
    expect(await withoutTimeouts(pool, (tx) => tx.one(settings))).toMatchObject({ lock: 0, statement: 0 });
    expect(await pool.one(settings)).toEqual(found);
  });

  test('those of the job queue wait for any time', async () => {
    const jobs = openJobPool(own.url, () => {});
    onTestFinished(() => jobs.end());
    expect((await jobs.query(settings.sql)).rows[0]).toMatchObject({ lock: 0 });
  });
});

test('a connection of the job queue can be released twice, as the library does if it breaks while the worker stops', async () => {
  const jobs = openJobPool(own.url, () => {});
  onTestFinished(() => jobs.end());
  const release = await new Promise<() => void>((resolve) => {
    jobs.connect((_error, _client, done) => resolve(done));
  });
  release();
  release();
  expect((await jobs.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  expect([jobs.totalCount, jobs.idleCount]).toEqual([1, 1]);
});

describe('a pooler', () => {
  test('a connection through a pooler has no prepared statements, settings or locks', async () => {
    const pool = open({ pooler: true });
    await upsertSettings(pool, [{ key: 'k', value: 'v', is_secret: false }], { author: 'ada' });
    // What a connection keeps between transactions, which a pooler would give to another client.
    const state = sql.unsafe`
      select (select count(*)::integer from pg_prepared_statements) as prepared,
        (select count(*)::integer from pg_settings where source = 'client' and name like '%timeout') as timeouts,
        (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks
    `;
    expect(await pool.one(state)).toEqual({ prepared: 0, timeouts: 0, locks: 0 });
  });

  /** Reports whether a pooler that ignores these parameters is recognised at the database's URL with a query. */
  async function isRecognised(ignored: readonly string[] = [], query = ''): Promise<boolean> {
    const standIn = await startPoolerStandIn(own.url, ignored);
    onTestFinished(() => standIn.close());
    return await leadsToPooler(standIn.url + query);
  }

  const options = '?options=-c%20work_mem%3D4MB';

  test('a pooler is recognised, whatever parameters it refuses or ignores', async () => {
    expect(await isRecognised()).toBe(true);
    for (const ignored of [['options'], []]) expect(await isRecognised(ignored, options)).toBe(true);
  });

  test('a server is none, nor is a proxy that passes bytes on or numbers connections itself', async () => {
    for (const query of ['', options]) expect(await leadsToPooler(own.url + query)).toBe(false);
    const proxy = await openQueryTap(own.url);
    expect(await leadsToPooler(proxy.url)).toBe(false);
    await proxy.close();
    await expect(leadsToPooler(proxy.url)).rejects.toThrow();
    // As Neon does.
    await own.sql(`alter database "${new URL(own.url).pathname.slice(1)}" set neon.timeline_id = 'a'`);
    expect(await isRecognised()).toBe(false);
  });
});
