import { expect, test, vi } from 'vitest';
import { openJobPool } from '../../../src/db/job-queue/pool.ts';
import { createTestDatabase } from '../../support/database/database.ts';

test('the job queue may give a connection back twice, as its library does where that is lost while it stops', async () => {
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
  // The library comes back once more after that, and gives back what it got.
  const refused = await new Promise((resolve) => {
    pool.connect((error, _client, giveBack) => {
      giveBack();
      resolve(error);
    });
  });
  expect(String(refused)).toContain('after calling end');
});
