import { expect, test, vi } from 'vitest';
import { openJobPool } from '../../../src/db/job-queue/pool.ts';
import { createTestDatabase } from '../../support/postgres.ts';

test('a connection can be released twice, as the library does if it breaks while the worker stops', async () => {
  const database = await createTestDatabase();
  const onError = vi.fn();
  const pool = openJobPool(database.url, onError);
  try {
    const release = await new Promise<() => void>((resolve, reject) => {
      pool.connect((error, _client, giveBack) => (error ? reject(error) : resolve(giveBack)));
    });
    release();
    release();
    expect((await pool.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
    expect({ total: pool.totalCount, idle: pool.idleCount }).toEqual({ total: 1, idle: 1 });
    expect(onError).not.toHaveBeenCalled();
  } finally {
    await pool.end();
    await database.drop();
  }
  // The library connects once more after that, and releases what it got.
  const refused = await new Promise((resolve) => {
    pool.connect((error, _client, giveBack) => {
      giveBack();
      resolve(error);
    });
  });
  expect(String(refused)).toContain('after calling end');
});
