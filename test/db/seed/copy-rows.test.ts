import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction, withConnection } from '../../../src/db/connection/own-connection.ts';
import { type BulkConnection, copyRows, isDuplicateKey } from '../../../src/db/seed/seed.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

function setting(setting_key: string, setting_value: string) {
  return { setting_key, setting_value };
}

async function settings(connection: BulkConnection): Promise<object[]> {
  const { rows } = await connection.query('select setting_key, setting_value from settings order by 1');
  return rows;
}

test('copies every text unchanged', async () => {
  const rows = ['\t', '\\', '\\N', '\\.', 'a\nb\r\nc', '', 'naïve 🙂', 'x'.repeat(200_000), ' '].map(
    (value, index) => setting(`text_${index}`, value),
  );
  await withConnection(database.url, async (connection) => {
    await copyRows(connection, 'settings', rows);
    expect(await settings(connection)).toEqual(rows);
    await connection.query('delete from settings');
  });
});

test('copies numbers, booleans, null and no rows', async () => {
  await withConnection(database.url, async (connection) => {
    await connection.query('create temporary table plain (number bigint, flag boolean, text text)');
    const row = { number: 2 ** 53 - 1, flag: false, text: null };
    await copyRows(connection, 'plain', [row]);
    await copyRows(connection, 'plain', []);
    const { rows } = await connection.query('select number::text, flag, text from plain');
    expect(rows).toEqual([{ ...row, number: '9007199254740991' }]);
  });
});

test('reports a duplicate key, leaves none of its rows, and the connection can be used again', async () => {
  await withConnection(database.url, async (connection) => {
    const twice = [setting('twice', '1'), setting('twice', '2')];
    const error = await inTransaction(connection, () => copyRows(connection, 'settings', twice)).catch(
      (thrown: unknown) => thrown,
    );
    expect(isDuplicateKey(error)).toBe(true);
    expect(isDuplicateKey(new Error('no'))).toBe(false);
    await copyRows(connection, 'settings', [setting('once', '1')]);
    expect(await settings(connection)).toEqual([setting('once', '1')]);
  });
});
