import { expect, onTestFinished, test, vi } from 'vitest';
import { type ApiResponse, atOnce, errorResponse } from '../../../support/here/requests.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

const statuses = (answers: ApiResponse[]) => {
  const byStatus = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, group.length]));
};

const taken = errorResponse(409, 'An admin with this email already exists.');

test('creates one of a hundred admins with the same email, and answers 409 to 99', async () => {
  const { api } = backoffice;
  const answers = await atOnce(100, (index) =>
    api.post('/admins', {
      email: index % 2 ? ' One@Example.com' : 'one@example.COM ',
      password: 'long enough',
    }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 99 });
  expect(answers.filter(({ status }) => status === 409)).toEqual(Array(99).fill(taken));
  expect(await backoffice.sql("select email from admins where email = 'one@example.com'")).toHaveLength(1);
});

test('lets one of twenty admins change to the same email, and answers 409 to 19', async () => {
  const { api } = backoffice;
  const rows = await backoffice.sql(`
    insert into admins (email, username) select 'many-' || n, 'M' from generate_series(1, 20) as n returning id
  `);
  const answers = await atOnce(20, (index) =>
    api.put('/admins', { id: rows[index]?.id, email: 'same@example.com' }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 409: 19 });
  expect(await backoffice.sql("select from admins where email = 'same@example.com'")).toHaveLength(1);
});

test('two admins that swap emails at once still have two different emails, and neither request fails', async () => {
  const { api } = backoffice;
  const [a, b] = await backoffice.sql(`
    insert into admins (email, username) values ('a@example.com', 'A'), ('b@example.com', 'B') returning id
  `);
  for (let round = 0; round < 10; round++) {
    const answers = await atOnce(20, (index) =>
      api.put('/admins', {
        id: (index % 2 ? a : b)?.id,
        email: (index + round) % 2 ? 'b@example.com' : 'a@example.com',
      }),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
  }
  const emails = await backoffice.sql('select distinct email from admins where id in ($1, $2)', [
    a?.id,
    b?.id,
  ]);
  expect(emails).toHaveLength(2);
});

test('deleting one admin twenty times at once answers 200 twenty times', async () => {
  const { api } = backoffice;
  const [row] = await backoffice.sql(
    "insert into admins (email, username) values ('gone', 'G') returning id",
  );
  const answers = await atOnce(20, () => api.delete(`/admins?id=${row?.id}`));
  expect(statuses(answers)).toEqual({ 200: 20 });
  expect(await backoffice.sql('select from admins where id = $1', [row?.id])).toEqual([]);
});

test('other requests are served while a dozen admins are created', async () => {
  const { api, service } = backoffice;
  const { passwords } = service.services;
  const hashing = Promise.withResolvers<string>();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(passwords, 'hash').mockReturnValue(hashing.promise);
  const creations = atOnce(12, (index) =>
    api.post('/admins', { email: `own-${index}@example.com`, password: 'long enough' }),
  );
  const { outside } = service.services.limiters;
  await expect.poll(() => outside.waiting).toBe(12 - outside.limits.perCaller);
  // A request that needs no hash does not wait for them.
  const reads = await atOnce(30, () => api.get('/issues?period=daily'));
  hashing.resolve('a hash');
  expect(statuses(reads)).toEqual({ 200: 30 });
  expect(statuses(await creations)).toEqual({ 200: 12 });
});
