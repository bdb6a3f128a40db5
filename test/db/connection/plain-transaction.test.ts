import { setTimeout } from 'node:timers/promises';
import { sql } from 'slonik';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openPlainPool } from '../../../src/db/connection/plain-pool.ts';
import { NeedsPoolError, plainTransactions } from '../../../src/db/connection/plain-transaction.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile();

beforeEach(() => own.client.query('delete from settings'));

/** Runs transactions on a single connection: the next one waits for ever if one keeps it. */
function openTransactions() {
  const pool = openPlainPool({
    databaseUrl: own.url,
    maxConnections: 1,
    pipeline: true,
    onConnectionError: () => {},
  });
  onTestFinished(() => pool.end());
  return plainTransactions(pool);
}

const insert = (key: string) =>
  sql.unsafe`insert into settings (setting_key, setting_value) values (${key}, '')`;
const settings = async () =>
  (await own.client.query('select setting_key from settings order by 1')).rows.map((row) => row.setting_key);

test('a transaction commits what its work and its deferred statements wrote', async () => {
  const run = openTransactions();
  const row = z.object({ count: z.int() });
  const count = await run(async (tx, defer) => {
    await tx.query(insert('a'));
    defer(() => tx.query(insert('b')));
    return await tx.oneFirst(sql.type(row)`select count(*) from settings`);
  });
  expect(count).toBe(2);
  expect(await settings()).toEqual(['a', 'b']);
});

test('work that fails leaves nothing, and the connection runs the next transaction', async () => {
  const run = openTransactions();
  const failing = run(async (tx, defer) => {
    await tx.query(insert('a'));
    defer(() => tx.query(sql.unsafe`select 1 / 0`));
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  await run((tx) => tx.query(insert('next')));
  expect(await settings()).toEqual(['next']);
});

test('a deferred statement that fails leaves nothing', async () => {
  const run = openTransactions();
  const failing = run(async (tx, defer) => {
    await tx.query(insert('a'));
    defer(() => tx.query(insert('a')));
  });
  await expect(failing).rejects.toThrow('duplicate key');
  expect(await settings()).toEqual([]);
});

test('a connection that breaks in the middle fails the transaction, and the next one has another', async () => {
  const run = openTransactions();
  const backend = z.object({ pid: z.int() });
  const failing = run(async (tx) => {
    const pid = await tx.oneFirst(sql.type(backend)`select pg_backend_pid() as pid`);
    await own.client.query('select pg_terminate_backend($1)', [pid]);
    // Postgres says so in between statements, when none of them can report it.
    await setTimeout(100);
    await tx.query(insert('a'));
  });
  await expect(failing).rejects.toThrow(/connection/i);
  await run((tx) => tx.query(insert('next')));
  expect(await settings()).toEqual(['next']);
});

test('work that opens a transaction of its own must run elsewhere, and leaves nothing', async () => {
  const run = openTransactions();
  const failing = run(async (tx) => {
    await tx.query(insert('a'));
    await tx.transaction((inner) => inner.query(insert('b')));
  });
  await expect(failing).rejects.toThrow(NeedsPoolError);
  expect(await settings()).toEqual([]);
});
