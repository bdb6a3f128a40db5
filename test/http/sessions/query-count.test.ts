import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withClient } from '../../support/database/client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { openQueryTap, type QueryTap } from '../../support/database/query-tap.ts';
import { type SignedIn, startTestService, type TestService } from '../../support/http/service.ts';

let database: TestDatabase;
let tap: QueryTap;
let service: TestService;
let admin: SignedIn;

beforeAll(async () => {
  database = await createTestDatabase();
  tap = await openQueryTap(database.url);
  service = await startTestService({ DATABASE_URL: tap.url });
  admin = await service.signIn('user');
});

afterAll(async () => {
  await service?.stop();
  await tap?.close();
  await database?.drop();
});

beforeEach(async () => {
  // The first request on a connection may run extra statements.
  await admin.client.call('session.show');
  await changeAuthority();
  tap.reset();
});

/** Makes the service read every session again. */
const changeAuthority = () =>
  withClient(database.url, (client) => client.query('update admins set role = role where false'));

/** Returns what was sent, but neither the lock that lets the service remember sessions nor the look for changes each second. */
const statements = () =>
  tap.statements.filter((text) => !/hold_authority|publish_changes|^commit$/.test(text));

test('a request with a session runs one statement, which reads session and admin and writes nothing', async () => {
  await admin.client.call('session.show');
  expect(statements()).toEqual([expect.stringMatching(/^\s*select\b.*\bfrom sessions\b.*\bjoin admins\b/s)]);
});

test('a request with an API token runs one statement', async () => {
  const { secret } = await service.createToken('user');
  const send = () => service.fetch('/api/admin/session', { headers: { authorization: `Bearer ${secret}` } });
  // Recording the first use takes another statement.
  expect((await send()).status).toBe(200);
  await changeAuthority();
  tap.reset();
  expect((await send()).status).toBe(200);
  expect(statements()).toEqual([expect.stringMatching(/^\s*select\b.*\bfrom api_tokens\b/s)]);
});

test('frequent requests with a session or a token run almost no statement', async () => {
  const { secret } = await service.createToken('user');
  for (const headers of [{ cookie: admin.cookie }, { authorization: `Bearer ${secret}` }]) {
    const run = async () => {
      tap.reset();
      for (let request = 0; request < 20; request++) {
        expect((await service.fetch('/api/admin/session', { headers })).status).toBe(200);
      }
      return statements().length;
    };
    await expect.poll(run).toBeLessThan(5);
  }
});

test('a request without a session runs no statement', async () => {
  const headers = [
    {},
    { cookie: 'theme=dark' },
    { cookie: 'backoffice=s%3Aforged.signature' },
    { authorization: 'Bearer x' },
  ];
  for (const sent of headers)
    expect((await service.fetch('/api/admin/issues', { headers: sent })).status).toBe(401);
  expect(statements()).toStrictEqual([]);
});

test('100 guesses at once that the limits refuse run few statements', async () => {
  const guess = () =>
    service.services.signInLimits.attempt('nobody@example.com', '192.0.2.1', async () => null);
  const guesses = (count: number) => Promise.allSettled(Array.from({ length: count }, guess));
  expect(await guesses(10)).toEqual(Array(10).fill({ status: 'fulfilled', value: null }));
  tap.reset();
  const reason = expect.objectContaining({ code: 'rate_limited' });
  expect(await guesses(100)).toEqual(Array(100).fill({ status: 'rejected', reason }));
  expect(statements().length).toBeLessThanOrEqual(20);
});
