import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { runAs, runUntil } from '../../../src/db/connection/caller.ts';
import { batchKnownNetworks } from '../../../src/services/sign-in/known-networks.ts';
import { withClient } from '../../support/database/client.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';

const backoffice = backofficeOfThisFile();
const email = 'grace@example.com';
const inactive = 'ada@example.com';
const home = { network: '198.51.100.7', place: '198.51.100.0/24' };
const next = { network: '198.51.100.99', place: '198.51.100.0/24' };
const elsewhere = { network: '192.0.2.1', place: '192.0.2.0/24' };
let ids: Record<string, string>;

/**
 * Returns the function, and how many statements it has run.
 *
 * @param before - what a statement waits for, by its number
 */
function batched(standstill = new AbortController(), before: readonly Promise<void>[] = []) {
  const counts = { statements: 0 };
  const { runSignInStatement } = backoffice.service.services;
  const find = batchKnownNetworks(
    async (work) => {
      await before[counts.statements++];
      return await runSignInStatement(work);
    },
    () => standstill.signal,
  );
  return { find, counts };
}

beforeAll(async () => {
  ids = Object.fromEntries(
    await Promise.all(
      [email, inactive].map(async (name) => [name, (await backoffice.service.signIn('user', name)).id]),
    ),
  );
  await backoffice.sql('update admins set is_active = 0 where email = $1', [inactive]);
  await backoffice.sql('delete from sign_in_networks');
  await backoffice.sql(
    `insert into sign_in_networks (admin_id, network)
     select id, network from admins, unnest($1::text[]) as network where email = any($2)`,
    [Object.values(home), [email, inactive]],
  );
});

test('each attempt gets what is known of it, with few statements for many', async () => {
  const { find, counts } = batched();
  const attempts = [
    [
      { email, ...home },
      { admin_id: ids[email], network: true, place: true },
    ],
    [
      { email, ...next },
      { admin_id: ids[email], network: false, place: true },
    ],
    [
      { email, ...elsewhere },
      { admin_id: ids[email], network: false, place: false },
    ],
    [
      { email: inactive, ...home },
      { admin_id: null, network: true, place: true },
    ],
    [
      { email: 'nobody@example.com', ...home },
      { admin_id: null, network: false, place: false },
    ],
  ] as const;
  const many = Array.from({ length: 20 }, () => attempts).flat();
  const found = await Promise.all(
    many.map(([origin], n) => runAs({ key: `network ${n}` }, () => find(origin))),
  );
  expect(found).toEqual(many.map(([, known]) => known));
  expect(counts.statements).toBeLessThan(10);
});

test('a statement that gets no answer stops only its own attempts', async () => {
  const stuck = Promise.withResolvers<void>();
  const { find, counts } = batched(new AbortController(), [stuck.promise]);
  const first = find({ email, ...home });
  await expect.poll(() => counts.statements).toBe(1);
  const others = await Promise.all(Array.from({ length: 20 }, () => find({ email, ...next })));
  expect(others).toEqual(others.map(() => ({ admin_id: ids[email], network: false, place: true })));
  stuck.resolve();
  expect(await first).toMatchObject({ network: true });
});

test('an attempt that waits ends with its call, or when the database hangs', async () => {
  const hang = new AbortController();
  const { find } = batched(hang);
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const locking = withClient(backoffice.service.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table sign_in_networks in access exclusive mode');
    locked.resolve();
    await released.promise;
  });
  onTestFinished(async () => {
    released.resolve();
    await locking;
  });
  await locked.promise;
  const call = new AbortController();
  const ending = runUntil(call.signal, () => find({ email, ...home }));
  const others = Array.from({ length: 9 }, () => find({ email, ...home }));
  call.abort(new Error('the call has ended'));
  await expect(ending).rejects.toThrow('the call has ended');
  hang.abort(new Error('the database hangs'));
  for (const other of others) await expect(other).rejects.toThrow('the database hangs');
  await expect(find({ email, ...home })).rejects.toThrow('the database hangs');
});
