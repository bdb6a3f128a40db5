import { beforeEach, expect, test } from 'vitest';
import { statusWith } from '../../support/here/accounts.ts';
import { backofficeHere, openSession } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();
let cookie: string;

beforeEach(async () => {
  await backoffice.sql('delete from sessions');
  cookie = await openSession(backoffice.service.url, backoffice.superadmin.email);
});

const signOut = () =>
  backoffice.service.fetch('/api/admin/session', { method: 'DELETE', headers: { cookie } });

test('a sign-out ends only its own session', async () => {
  const other = await openSession(backoffice.service.url, backoffice.superadmin.email);
  const response = await signOut();
  expect(response.status).toBe(200);
  expect(await response.json()).toStrictEqual({ success: true });
  expect(await statusWith(backoffice.service, cookie)).toBe(401);
  expect(await statusWith(backoffice.service, other)).toBe(200);
});

test('a second sign-out has no session', async () => {
  await signOut();
  const response = await signOut();
  expect(response.status).toBe(401);
  expect(await response.json()).toStrictEqual({ error: 'Unauthorized' });
});

test('a request that is running at sign-out is answered and does not restore the session', async () => {
  const slow = await withClient(backoffice.service.databaseUrl, async (client) => {
    await client.query('begin; lock table issues in access exclusive mode');
    const request = backoffice.service.fetch('/api/admin/issues', { headers: { cookie } });
    await untilBlocked(backoffice);
    expect((await signOut()).status).toBe(200);
    await client.query('commit');
    return await request;
  });
  expect(slow.status).toBe(200);
  expect(await slow.json()).toStrictEqual({ issues: [] });
  expect(await backoffice.sql('select * from sessions')).toStrictEqual([]);
  expect(await statusWith(backoffice.service, cookie)).toBe(401);
});

test('an update of the last request after the sign-out does not restore the session', async () => {
  await backoffice.sql(`update sessions set last_seen_at = now() - interval '5 minutes'`);
  await withClient(backoffice.service.databaseUrl, async (client) => {
    await client.query('begin; select 1 from sessions for update');
    const end = signOut();
    // Two are blocked: the update of this request, and the end of the session.
    await untilBlocked(backoffice, 2);
    expect(await statusWith(backoffice.service, cookie)).toBe(200);
    await untilBlocked(backoffice, 3);
    await client.query('commit');
    expect((await end).status).toBe(200);
    await untilBlocked(backoffice, 0);
  });
  expect(await backoffice.sql('select * from sessions')).toStrictEqual([]);
  expect(await statusWith(backoffice.service, cookie)).toBe(401);
});
