import { sql } from 'slonik';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  withoutTimeouts,
} from '../../../src/db/connection/database.ts';
import {
  describeDatabaseError,
  isSchemaOutdated,
  isUniqueViolation,
  retryAfterOf,
} from '../../../src/db/connection/errors.ts';
import { leadsToPooler } from '../../../src/db/connection/inspect-server.ts';
import { withConnection } from '../../../src/db/connection/own-connection.ts';
import { unprepared } from '../../../src/db/connection/statements.ts';
import { openJobPool } from '../../../src/db/job-queue/pool.ts';
import { upsertSettings } from '../../../src/db/tables/settings.ts';
import { controlledPostgres, openQueryTap } from '../../support/postgres/control.ts';
import { createEmptyDatabase, databaseHere } from '../../support/postgres.ts';
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

/** Sets a setting, as the service does. */
const setK = (db: Database) =>
  upsertSettings(db, [{ key: 'k', value: 'v', is_secret: false }], { author: 'ada' });

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

  test('that takes too long is cancelled, unless its transaction lifts the timeout', async () => {
    const db = open({ timeouts: { connectionMs: 1_000, statementMs: 100, lockMs: 0 } });
    const error = await db.query(sql.unsafe`select pg_sleep(9)`).catch((thrown: unknown) => thrown);
    expect(describeDatabaseError(error)).toBe('The database took too long to answer.');
    // Longer than the client waits for an answer by default.
    await withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select pg_sleep(2.5)`));
  });
});

describe('a transaction', () => {
  test('whose work fails changes nothing, and leaves the connection to the next one', async () => {
    const db = open();
    const before = await db.oneFirst(pid);
    const failing = db.transaction(async (tx) => {
      await tx.query(insert('a'));
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await db.anyFirst(keys)).toEqual([]);
    expect(await db.oneFirst(pid)).toBe(before);
  });

  test('rejects if a statement has failed unnoticed, and leaves the connection too', async () => {
    const db = open();
    const before = await db.oneFirst(pid);
    const failing = db.transaction(async (tx) => {
      await tx.query(insert('a'));
      await tx.query(sql.unsafe`select 1 / 0`).catch(() => {});
    });
    await expect(failing).rejects.toThrow('rolled back');
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

test('a server that freezes lets no work wait for long, and is used again when it goes on', async () => {
  const postgres = await controlledPostgres();
  onTestFinished(() => postgres.remove());
  const timeouts = { connectionMs: 1_000, statementMs: 1_000, lockMs: 1_000 };
  const db = open({ databaseUrl: postgres.url, maxConnections: 3, timeouts });
  const withoutTimeout = () => withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select pg_sleep(0.05)`));
  // What these transactions have lifted is back after them.
  await Promise.all([1, 2, 3].map(withoutTimeout));
  await postgres.freeze();
  const startedAt = performance.now();
  const work = Array.from({ length: 12 }, (_, number) =>
    number % 2 === 0 ? db.query(pid) : db.transaction((tx) => tx.query(pid)),
  );
  for (const { status, reason } of (await Promise.allSettled(work)) as PromiseRejectedResult[])
    expect([status, describeDatabaseError(reason)]).toEqual(['rejected', 'The database is unavailable.']);
  // Each waits for its statement once at most.
  expect(performance.now() - startedAt).toBeLessThan(9_000);
  await postgres.thaw();
  await Promise.all([1, 2, 3, 4].map(() => db.query(pid)));
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
  });

  test('of a server that is no longer the primary says so, and when to try again', async () => {
    const refused = own.pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`set transaction read only`);
      await setK(tx);
    });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(describeDatabaseError(error)).toBe('The database accepts no changes at the moment.');
    expect(retryAfterOf(error)).toBeGreaterThan(0);
    expect(retryAfterOf(withCode('ECONNREFUSED'))).toBeGreaterThan(0);
    expect(retryAfterOf(withCode('23505'))).toBeUndefined();
    expect(describeDatabaseError(withCode('23505', 'password of postgres://a:b@host'))).toBeUndefined();
  });

  test('of a database without migrations reports an outdated schema', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    const error = await setK(open({ databaseUrl: empty.url })).catch((thrown: unknown) => thrown);
    expect(isSchemaOutdated(error)).toBe(true);
    expect(isSchemaOutdated(withCode('23505'))).toBe(false);
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
  const onError = vi.fn();
  const jobs = openJobPool(own.url, onError);
  const connect = () =>
    new Promise<readonly [error: unknown, release: () => void]>((resolve) => {
      jobs.connect((error, _client, release) => resolve([error, release]));
    });
  const [, release] = await connect();
  release();
  release();
  expect((await jobs.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  expect({ total: jobs.totalCount, idle: jobs.idleCount }).toEqual({ total: 1, idle: 1 });
  expect(onError).not.toHaveBeenCalled();
  await jobs.end();
  // The library connects once more after that, and releases what it got.
  const [refused, releaseNothing] = await connect();
  releaseNothing();
  expect(String(refused)).toContain('after calling end');
});

describe('a pooler', () => {
  test('a connection through a pooler has no prepared statements, settings or locks', async () => {
    const pool = open({ pooler: true });
    await setK(pool);
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

  test('a pooler is recognised, whatever parameters it refuses or ignores', async () => {
    expect(await isRecognised()).toBe(true);
    expect(await isRecognised(['options'], '?options=-c%20work_mem%3D4MB')).toBe(true);
    expect(await isRecognised([], '?options=-c%20work_mem%3D4MB')).toBe(true);
  });

  test('a server is none, nor is a proxy that passes bytes on, and a server that is down is neither', async () => {
    expect(await leadsToPooler(own.url)).toBe(false);
    expect(await leadsToPooler(`${own.url}?options=-c%20work_mem%3D4MB`)).toBe(false);
    const proxy = await openQueryTap(own.url);
    expect(await leadsToPooler(proxy.url)).toBe(false);
    await proxy.close();
    await expect(leadsToPooler(proxy.url)).rejects.toThrow();
  });

  test('the proxy of Neon, which numbers connections itself, is none', async () => {
    const name = new URL(own.url).pathname.slice(1);
    await own.sql(`alter database "${name}" set neon.timeline_id = 'a'`);
    expect(await isRecognised()).toBe(false);
  });
});

test('a connection of its own that breaks between two queries says why', async () => {
  const work = withConnection(own.url, async (connection) => {
    const { rows } = await connection.query('select pg_backend_pid() as id');
    const ended = new Promise<void>((resolve) => connection.once('end', resolve));
    await own.sql('select pg_terminate_backend($1)', [rows[0].id]);
    await ended;
    await connection.query('select 1');
  });
  await expect(work).rejects.toThrow('terminating connection due to administrator command');
});
