import { sql } from 'slonik';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openDatabase, withoutTimeouts } from '../../../src/db/connection/database.ts';
import { describeDatabaseError, isSchemaOutdated, retryAfterOf } from '../../../src/db/connection/errors.ts';
import { leadsToPooler } from '../../../src/db/connection/inspect-server.ts';
import { withConnection } from '../../../src/db/connection/own-connection.ts';
import { openJobPool } from '../../../src/db/job-queue/pool.ts';
import { upsertSettings } from '../../../src/db/tables/settings.ts';
import { openQueryTap } from '../../support/postgres/control.ts';
import { createEmptyDatabase, databaseHere } from '../../support/postgres.ts';
import { startPoolerStandIn } from '../../support/receivers/pooler.ts';

const database = databaseHere(1);

describe('errors', () => {
  const withCode = (code: string, message = '') => Object.assign(new Error(message), { code });

  describe('a database error', () => {
    test.for([
      ['a refused connection', withCode('ECONNREFUSED')],
      ['a server that is shutting down', withCode('57P01')],
      ['a server without free connections', withCode('53300')],
      ['a connection that ends', new Error('Connection terminated unexpectedly')],
      [
        'a process that may open no more files',
        withCode('EMFILE', 'connect EMFILE 127.0.0.1:5432 - Local (undefined:undefined)'),
      ],
      ['a machine that may open no more files', withCode('ENFILE')],
    ] as const)('of %s says that the database is unavailable', ([, error]) => {
      expect(describeDatabaseError(error)).toBe('The database is unavailable.');
    });

    test('of a server that is no longer the primary says so, and when to try again', async () => {
      const refused = database.pool.transaction(async (tx) => {
        await tx.query(sql.unsafe`set transaction read only`);
        await upsertSettings(tx, [{ key: 'k', value: 'v', is_secret: false }], { author: 'ada' });
      });
      const error = await refused.catch((thrown: unknown) => thrown);
      expect(describeDatabaseError(error)).toBe('The database accepts no changes at the moment.');
      expect(retryAfterOf(error)).toBeGreaterThan(0);
      expect(retryAfterOf(withCode('ECONNREFUSED'))).toBeGreaterThan(0);
      expect(retryAfterOf(withCode('23505'))).toBeUndefined();
    });

    test('of another kind has no description', () => {
      expect(describeDatabaseError(new Error('password of postgres://admin:secret@host'))).toBeUndefined();
      expect(describeDatabaseError(withCode('23505'))).toBeUndefined();
    });
  });

  test('a statement on a database without migrations reports an outdated schema', async () => {
    const empty = await createEmptyDatabase();
    const pool = openDatabase({ databaseUrl: empty.url, maxConnections: 1 });
    const error = await upsertSettings(pool, [{ key: 'k', value: 'v', is_secret: false }], {
      author: 'ada',
    }).catch((thrown: unknown) => thrown);
    await pool.close();
    await empty.drop();
    expect(isSchemaOutdated(error)).toBe(true);
    expect(isSchemaOutdated(withCode('23505'))).toBe(false);
  });
});

describe('a lock', () => {
  const row = z.object({ lock: z.int(), statement: z.int(), zone: z.string() });
  const settings = sql.type(row)`
  select
    (select setting::integer from pg_settings where name = 'lock_timeout') as lock,
    (select setting::integer from pg_settings where name = 'statement_timeout') as statement,
    current_setting('timezone') as zone
`;

  test('statements of requests wait less than two seconds for a lock, and keep the options of the URL', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c TimeZone=Asia/Kathmandu');
    const pool = openDatabase({ databaseUrl: url.href, maxConnections: 1 });
    onTestFinished(() => pool.close());
    const found = await pool.one(settings);
    // Longer than Postgres takes to find a deadlock.
    expect(found.lock).toBeGreaterThan(1_000);
    expect(found.lock).toBeLessThan(2_000);
    expect(found.zone).toBe('Asia/Kathmandu');
    expect(await withoutTimeouts(pool, (tx) => tx.one(settings))).toMatchObject({ lock: 0, statement: 0 });
    expect(await pool.one(settings)).toEqual(found);
  });

  test('those of the job queue wait for any time', async () => {
    const jobs = openJobPool(database.url, () => {});
    onTestFinished(() => jobs.end());
    expect((await jobs.query(settings.sql)).rows[0]).toMatchObject({ lock: 0 });
  });
});

test('a connection of the job queue can be released twice, as the library does if it breaks while the worker stops', async () => {
  const onError = vi.fn();
  const jobs = openJobPool(database.url, onError);
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
  /** What a connection keeps between transactions, which a pooler would give to another client. */
  const state = sql.fragment`
  select (select count(*)::integer from pg_prepared_statements) as prepared,
    (select count(*)::integer from pg_settings where source = 'client' and name like '%timeout') as timeouts,
    (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks
`;
  const nothing = { prepared: 0, timeouts: 0, locks: 0 };

  test('a connection through a pooler has no prepared statements, settings or locks', async () => {
    const pool = openDatabase({ databaseUrl: database.url, maxConnections: 1, pooler: true });
    onTestFinished(() => pool.close());
    await upsertSettings(pool, [{ key: 'k', value: 'v', is_secret: false }], { author: 'ada' });
    const row = z.object({ prepared: z.int(), timeouts: z.int(), locks: z.int() });
    expect(await pool.one(sql.type(row)`${state}`)).toEqual(nothing);
  });

  /** Reports whether a pooler that ignores these parameters is recognised at the database's URL with a query. */
  async function isRecognised(ignored: readonly string[] = [], query = ''): Promise<boolean> {
    const standIn = await startPoolerStandIn(database.url, ignored);
    onTestFinished(() => standIn.close());
    return await leadsToPooler(standIn.url + query);
  }

  test('a pooler is recognised, whatever parameters it refuses or ignores', async () => {
    expect(await isRecognised()).toBe(true);
    expect(await isRecognised(['options'], '?options=-c%20work_mem%3D4MB')).toBe(true);
    expect(await isRecognised([], '?options=-c%20work_mem%3D4MB')).toBe(true);
  });

  test('a server is none, nor is a proxy that passes bytes on', async () => {
    expect(await leadsToPooler(database.url)).toBe(false);
    expect(await leadsToPooler(`${database.url}?options=-c%20work_mem%3D4MB`)).toBe(false);
    const proxy = await openQueryTap(database.url);
    onTestFinished(() => proxy.close());
    expect(await leadsToPooler(proxy.url)).toBe(false);
  });

  test('the proxy of Neon, which numbers connections itself, is none', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.client.query(`alter database "${name}" set neon.timeline_id = 'a'`);
    expect(await isRecognised()).toBe(false);
  });

  test('a server that is down is neither', async () => {
    const standIn = await startPoolerStandIn(database.url);
    onTestFinished(() => standIn.close());
    standIn.isAvailable = false;
    await expect(leadsToPooler(standIn.url)).rejects.toThrow();
  });
});

test('a connection of its own that breaks between two queries says why', async () => {
  const work = withConnection(database.url, async (connection) => {
    const { rows } = await connection.query('select pg_backend_pid() as id');
    const ended = new Promise<void>((resolve) => connection.once('end', resolve));
    await database.client.query('select pg_terminate_backend($1)', [rows[0].id]);
    await ended;
    await connection.query('select 1');
  });
  await expect(work).rejects.toThrow('terminating connection due to administrator command');
});
