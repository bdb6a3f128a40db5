import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runAs } from '../../../src/db/connection/caller.ts';
import { createCallerPace } from '../../../src/db/connection/caller-pace.ts';
import { connectDatabases, type Databases } from '../../../src/db/connection/connect.ts';
import { type LoadedPool, openPlainPool } from '../../../src/db/connection/plain-pool.ts';
import { databaseOfThisFile } from '../../support/database/database-of-this-file.ts';

const database = databaseOfThisFile(1);
let plain: LoadedPool;
let databases: Databases;

beforeAll(() => {
  // Nothing of an account starts because of the time that passes.
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const pace = createCallerPace(2);
  const onConnectionError = () => {};
  plain = openPlainPool({ databaseUrl: database.url, onConnectionError, pace });
  databases = connectDatabases({ databaseUrl: database.url, onConnectionError, pace });
});

afterAll(async () => {
  vi.useRealTimers();
  await Promise.all([plain?.end(), databases?.close()]);
});

test('the work of one account in all pools together leaves the processors of the database to others', async () => {
  // Opens the pool.
  await databases.primary.connect(async () => {});
  const gate = Promise.withResolvers<void>();
  const work = () => gate.promise;
  const all = runAs({ key: 'a', call: 1 }, () =>
    [1, 2].flatMap(() => [plain.share(work), databases.primary.connect(work)]),
  );
  await new Promise(setImmediate);
  const waiting = () => plain.load().waiting + databases.load().primary.waiting;
  expect(waiting()).toBe(2);
  const answer = await runAs({ key: 'b', call: 2 }, () => plain.query('select 1 as one'));
  expect(answer.rows).toEqual([{ one: 1 }]);
  gate.resolve();
  await Promise.all(all);
  expect(waiting()).toBe(0);
});
