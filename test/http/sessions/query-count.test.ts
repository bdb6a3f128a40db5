import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SignedIn, startTestService, type TestService } from '../../support/here.ts';
import { openQueryTap, type QueryTap } from '../../support/postgres/control.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

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
  tap.reset();
});

/** Returns what was sent, but not the look for changes each second. */
const statements = () => tap.statements.filter((text) => !/publish_changes/.test(text));

test('a request with a session runs one statement, which reads session and admin and writes nothing', async () => {
  await admin.client.call('session.show');
  expect(statements()).toEqual([expect.stringMatching(/^\s*select\b.*\bfrom sessions\b.*\bjoin admins\b/s)]);
});

test('a request with an API token runs one statement', async () => {
  const { secret } = await service.createToken('user');
  const send = () => service.fetch('/api/admin/session', { headers: { authorization: `Bearer ${secret}` } });
  // Recording the first use takes another statement.
  expect((await send()).status).toBe(200);
  tap.reset();
  expect((await send()).status).toBe(200);
  expect(statements()).toEqual([expect.stringMatching(/^\s*select\b.*\bfrom api_tokens\b/s)]);
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
