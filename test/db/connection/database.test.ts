import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type DatabaseOptions, openDatabase, withoutTimeouts } from '../../../src/db/connection/database.ts';
import { describeDatabaseError, isUniqueViolation } from '../../../src/db/connection/errors.ts';
import { unprepared } from '../../../src/db/connection/statements.ts';
import { type ControlledPostgres, controlledPostgres } from '../../support/postgres/control.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();
const timeouts = { connectionMs: 1_000, statementMs: 1_000, lockMs: 1_000 };

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

beforeEach(() => own.client.query('delete from settings'));

describe('a statement', () => {
  test('is checked against its schema, and counts are numbers', async () => {
    const db = open();
    expect(await db.one(sql.type(z.object({ n: z.int() }))`select count(*) as n from settings`)).toEqual({
      n: 0,
    });
    const wrong = db.one(sql.type(z.object({ n: z.int() }))`select ${'x'} as n`);
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

  test('rejects if a statement has failed unnoticed', async () => {
    const db = open();
    const failing = db.transaction(async (tx) => {
      await tx.query(insert('a'));
      await tx.query(sql.unsafe`select 1 / 0`).catch(() => {});
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await db.anyFirst(keys)).toEqual([]);
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

describe('a server', () => {
  let postgres: ControlledPostgres;
  beforeAll(async () => {
    postgres = await controlledPostgres();
  });
  afterAll(() => postgres?.remove());

  const unavailable = 'The database is unavailable.';
  const errorOf = async (work: Promise<unknown>) =>
    describeDatabaseError(await work.catch((thrown: unknown) => thrown));

  test('that freezes lets no work wait for long, and is used again when it goes on', async () => {
    const db = open({ databaseUrl: postgres.url, maxConnections: 3, timeouts });
    const withoutTimeout = () => withoutTimeouts(db, (tx) => tx.query(sql.unsafe`select pg_sleep(0.05)`));
    // What these transactions have lifted is back after them.
    await Promise.all([1, 2, 3].map(withoutTimeout));
    await postgres.freeze();
    const startedAt = performance.now();
    const work = Array.from({ length: 12 }, (_, number) =>
      errorOf(number % 2 === 0 ? db.query(pid) : db.transaction((tx) => tx.query(pid))),
    );
    expect(new Set(await Promise.all(work))).toEqual(new Set([unavailable]));
    // Each waits for its statement once at most.
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    await postgres.thaw();
    await Promise.all([1, 2, 3, 4].map(() => db.query(pid)));
  });

  test('that was not there is used as soon as it is', async () => {
    await postgres.stop();
    const db = open({ databaseUrl: postgres.url, timeouts });
    expect(await errorOf(db.query(pid))).toBe(unavailable);
    await postgres.start();
    await db.query(pid);
  });

  test('that restarts is used again', async () => {
    const db = open({ databaseUrl: postgres.url, maxConnections: 3, timeouts });
    await Promise.all([1, 2, 3].map(() => db.query(sql.unsafe`select pg_sleep(0.05)`)));
    await postgres.stop();
    await postgres.start();
    await Promise.all([1, 2, 3].map(() => db.query(pid)));
  });
});
