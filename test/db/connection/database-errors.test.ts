import { sql } from 'slonik';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/connection/database.ts';
import {
  describeDatabaseError,
  isSchemaOutdated,
  isUniqueViolation,
  retryAfterOf,
} from '../../../src/db/connection/errors.ts';
import { upsertSettings } from '../../../src/db/tables/settings.ts';
import { createEmptyDatabase, databaseHere } from '../../support/postgres.ts';

const database = databaseHere(1);

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

  test('of a statement timeout says that the database took too long', async () => {
    const slow = database.pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`set local statement_timeout = '10ms'`);
      await tx.query(sql.unsafe`select pg_sleep(10)`);
    });
    const error = await slow.catch((thrown: unknown) => thrown);
    expect(describeDatabaseError(error)).toBe('The database took too long to answer.');
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

test('a unique violation is recognized by its constraint', async () => {
  const insert = database.pool.query(
    sql.unsafe`insert into admins (email, username) values ('a@example.com', 'a'), ('a@example.com', 'b')`,
  );
  const error = await insert.catch((thrown: unknown) => thrown);
  expect(isUniqueViolation(error, 'admins_email_key')).toBe(true);
  expect(isUniqueViolation(error, 'admins_pkey')).toBe(false);
});
