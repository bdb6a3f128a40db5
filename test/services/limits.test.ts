import { expect, test } from 'vitest';
import { maxPoolConnections } from '../../src/db/connection/pool.ts';
import { limitsFor } from '../../src/services/limits.ts';
import { backofficeOfThisFile } from '../support/http/backoffice.ts';
import { openSession } from '../support/http/service.ts';

const backoffice = backofficeOfThisFile();

test.each([8, 10, 24, 100])('all classes together leave connections of a pool of %i free', (poolSize) => {
  const limits = limitsFor(poolSize);
  const together = Object.values(limits).reduce((sum, { maxConcurrent }) => sum + maxConcurrent, 0);
  expect(together).toBeLessThanOrEqual(poolSize - 2);
  expect(Math.min(...Object.values(limits).map(({ maxConcurrent }) => maxConcurrent))).toBeGreaterThan(0);
});

test('short calls are answered while every class of work holds all connections that it may', async () => {
  const { service, api, superadmin } = backoffice;
  const { databases, listQueue, searchSlots, bulkSlots, limitSlowCalls, passwords } = service.services;
  const released = Promise.withResolvers<void>();
  let held = 0;
  const hold = () =>
    databases.primary.connect(async () => {
      held++;
      await released.promise;
    });
  const { signal } = new AbortController();
  const work = Array.from({ length: maxPoolConnections }, (_, n) => {
    // Enough accounts to fill what one of them may not.
    const caller = {
      actor: { kind: 'admin', id: `admin_${n}` },
      signal,
      disconnect() {},
      waitedMs: () => 0,
    } as const;
    return [
      listQueue.run(caller, hold),
      searchSlots.run(caller, hold),
      bulkSlots.run(caller, hold),
      limitSlowCalls(hold),
      passwords.limitHashing(hold),
    ];
  })
    .flat()
    .map((each) => each.catch((error: unknown) => error));
  const all = Object.values(limitsFor(maxPoolConnections)).reduce(
    (sum, { maxConcurrent }) => sum + maxConcurrent,
    0,
  );
  await expect.poll(() => held, { timeout: 10_000 }).toBe(all);
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => api.get('/issues?limit=1')),
    ...Array.from({ length: 5 }, (_, n) => api.post('/issues', { title: `Meanwhile ${n}` })),
    ...Array.from({ length: 2 }, async () => {
      await openSession(service.url, superadmin.email);
      return { status: 200 };
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(held).toBe(all);
  released.resolve();
  await Promise.all(work);
});
