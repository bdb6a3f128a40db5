import { sql } from 'slonik';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openPlainPool } from '../../../src/db/connection/plain-pool.ts';
import { NeedsPoolError, plainTransactions } from '../../../src/db/connection/plain-transaction.ts';
import { type Database, defaultDatabaseTimeouts } from '../../../src/db/connection/pool.ts';
import { runForOne, sharedTransactions } from '../../../src/db/connection/shared-transaction.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const own = databaseOfThisFile();

beforeEach(() => own.client.query('delete from settings'));

function openTransactions(timeouts = defaultDatabaseTimeouts) {
  const pool = openPlainPool({ databaseUrl: own.url, pipeline: true, onConnectionError: () => {}, timeouts });
  onTestFinished(() => pool.end());
  return sharedTransactions(plainTransactions(pool));
}

/** The numbers of items that each statement had. */
let sizes: number[] = [];
beforeEach(() => {
  sizes = [];
});

/** Inserts settings. Returns the number of the transaction for each. */
async function insertKeys(tx: Database, keys: readonly string[]): Promise<readonly unknown[]> {
  sizes.push(keys.length);
  const rows = await tx.any(sql.unsafe`
    with given as (select * from unnest(${sql.array([...keys], 'text')}) with ordinality as given (key, place)),
    inserted as (
      insert into settings (setting_key, setting_value) select key, '' from given returning setting_key as key
    )
    select key, pg_current_xact_id()::text as xid from inserted join given using (key) order by place
  `);
  return rows;
}

const settings = async () =>
  (await own.client.query('select setting_key from settings order by 1')).rows.map((row) => row.setting_key);
const names = Array.from({ length: 20 }, (_, n) => `key-${String(n).padStart(2, '0')}`);

test('work that comes at the same time shares transactions and statements, and gets its own results', async () => {
  const run = openTransactions();
  const rows = await Promise.all(names.map((key) => run(key, (tx) => runForOne(tx, insertKeys, key))));
  expect(rows).toMatchObject(names.map((key) => ({ key })));
  expect(new Set(rows.map((row) => (row as { xid: string }).xid)).size).toBeLessThanOrEqual(3);
  expect(sizes.length).toBeLessThanOrEqual(3);
  expect(await settings()).toEqual(names);
});

test('deferred statements are committed with the rest', async () => {
  const run = openTransactions();
  await Promise.all(
    names.map((key) =>
      run(key, async (tx, defer) => {
        await runForOne(tx, insertKeys, key);
        defer(() => runForOne(tx, insertKeys, `${key}-deferred`));
        defer(() => tx.query(sql.unsafe`update settings set setting_value = 'x' where setting_key = ${key}`));
      }),
    ),
  );
  expect(await settings()).toEqual(names.flatMap((key) => [key, `${key}-deferred`]));
  const { rows } = await own.client.query(`select from settings where setting_value = 'x'`);
  expect(rows).toHaveLength(names.length);
});

test.for<[string, (tx: Database) => Promise<unknown>]>([
  ['fails', () => Promise.reject(new Error('refused'))],
  ['has a statement that fails', (tx) => tx.query(sql.unsafe`select 1 / 0`)],
  ['has a deferred statement that fails', async () => {}],
])(
  'if work %s, nothing of its transaction remains, and other work is told to repeat itself',
  async ([name, work]) => {
    const run = openTransactions();
    const failing = run('failing', async (tx, defer) => {
      await runForOne(tx, insertKeys, 'failing');
      if (name.includes('deferred')) defer(() => tx.query(sql.unsafe`select 1 / 0`));
      await work(tx);
    });
    const others = names.map((key) => run(key, (tx) => runForOne(tx, insertKeys, key)));
    const settled = await Promise.allSettled([failing, ...others]);
    expect(settled[0]?.status).toBe('rejected');
    for (const outcome of settled) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(NeedsPoolError);
    }
    const kept = names.filter((_key, index) => settled[index + 1]?.status === 'fulfilled');
    expect(await settings()).toEqual(kept);
  },
);

test('work that is alone gets its own error', async () => {
  const run = openTransactions();
  await expect(run('a', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await run('b', (tx) => runForOne(tx, insertKeys, 'b'))).toMatchObject({ key: 'b' });
});

test('work that came while a transaction waited too long for a lock fails with it, each with that error', async () => {
  const run = openTransactions({ ...defaultDatabaseTimeouts, lockMs: 500 });
  const locker = await own.connect();
  await locker.query('begin; lock table settings');
  onTestFinished(async () => void (await locker.query('rollback')));
  const works = names.map((key) => run(key, (tx) => runForOne(tx, insertKeys, key)));
  for (const outcome of await Promise.allSettled(works))
    expect(outcome).toMatchObject({ reason: { code: '55P03' } });
  // No more than run at once.
  expect(sizes.length).toBeLessThanOrEqual(3);
});

test('work with the same key does not share a transaction', async () => {
  const run = openTransactions();
  let running = 0;
  const work = async () => {
    running++;
    await own.client.query('select pg_sleep(0.05)');
  };
  const settled = await Promise.allSettled([run('same', work), run('same', work), run('same', work)]);
  const refused = settled.filter(({ status }) => status === 'rejected');
  expect(running).toBe(3 - refused.length);
  for (const outcome of refused) expect(outcome).toMatchObject({ reason: expect.any(NeedsPoolError) });
  expect(refused.length).toBeGreaterThan(0);
});

test('in a transaction of its own, a statement has one item', async () => {
  const pool = openPlainPool({ databaseUrl: own.url, pipeline: true, onConnectionError: () => {} });
  onTestFinished(() => pool.end());
  await plainTransactions(pool)((tx) => Promise.all(['a', 'b'].map((key) => runForOne(tx, insertKeys, key))));
  expect(sizes).toEqual([1, 1]);
});
