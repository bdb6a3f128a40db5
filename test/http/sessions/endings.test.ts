import { promisify } from 'node:util';
import type { SessionData } from 'express-session';
import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SessionStore } from '../../../src/http/sessions/store.ts';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { sqlWithoutTriggers } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere, openSession, password, type SignedIn } from '../../support/here.ts';
import { answerAfter, duringTransaction, untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();
const newPassword = 'battery staple';
const second = instanceHere(backoffice);
let admin: SignedIn;

beforeEach(async () => {
  admin = await backoffice.service.signIn('superadmin');
});

const age = (column: 'expire' | 'last_seen_at', interval: string) =>
  backoffice.sql(`update sessions set ${column} = now() - interval '${interval}' where admin_id = $1`, [
    admin.id,
  ]);

const put = (fields: object) => backoffice.api.put('/admins', { id: admin.id, ...fields });
const bySql = (statement: string) => backoffice.sql(`${statement} where id = $1`, [admin.id]);

describe('a change of an admin', () => {
  test.for<[change: string, make: () => Promise<unknown>]>([
    ['its role', () => put({ role: 'user' })],
    ['its password', () => put({ password: newPassword })],
    ['its activity', () => backoffice.api.put('/admins/activity', { id: admin.id, is_active: 0 })],
    ['its existence', () => backoffice.api.delete(`/admins?id=${admin.id}`)],
    ['its activity, in SQL', () => bySql('update admins set is_active = 0')],
    ['its e-mail, in SQL', () => bySql('update admins set email = id')],
  ])('ends its sessions on every instance at once: %s', async ([, change]) => {
    const { cookie } = admin;
    const other = await backoffice.service.signIn('user');
    expect(await statusWith(second, cookie)).toBe(200);
    await change();
    expect(await statusWith(second, cookie)).toBe(401);
    expect(await statusWith(backoffice.service, cookie)).toBe(401);
    expect(await sessions()).toEqual([]);
    expect(await statusWith(backoffice.service, other.cookie)).toBe(200);
  });

  test('ends its sessions in the same transaction, so a change that is rolled back ends none', async () => {
    const deactivate = 'update admins set is_active = 0 where id = $1';
    await duringTransaction(backoffice, [deactivate, [admin.id]], async (client) => {
      const { rows } = await client.query('select 1 from sessions where admin_id = $1', [admin.id]);
      expect(rows).toStrictEqual([]);
      await client.query('rollback');
    });
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(200);
  });

  test('of its password refuses a concurrent sign-in with the old one', async () => {
    const change = `update admins set password_hash = 'another' where id = $1`;
    const { status, headers } = await answerAfter(backoffice, [change, [admin.id]], () =>
      signIn(backoffice.service, { email: admin.email, password }),
    );
    expect([status, headers.getSetCookie()]).toEqual([401, []]);
    expect(await sessions()).toEqual([]);
  });
});

test.for([
  ['and no other ends: its name', { username: 'Myself' }, 200],
  ['and others end: its password', { password: newPassword }, 401],
  ['and others end: its e-mail and role', { email: 'myself@example.com', role: 'user' }, 401],
] as const)("a change of one's own account keeps the session, %s", async ([, change, status]) => {
  const other = await openSession(backoffice.service.url, admin.email);
  await admin.client.call('admins.update', { id: admin.id, ...change });
  const { admin: shown } = await admin.client.call('session.show');
  expect(shown).toMatchObject('password' in change ? { role: 'superadmin' } : change);
  expect(await statusWith(second, admin.cookie)).toBe(200);
  expect(await statusWith(second, other)).toBe(status);
});

test('authority is read with each request, even if the session was not ended', async () => {
  const change = (set: string) =>
    sqlWithoutTriggers(backoffice, `update admins set ${set} where id = $1`, [admin.id]);
  await change(`role = 'user', email = 'elsewhere@example.com'`);
  const { admin: now } = await admin.client.call('session.show');
  expect(now).toMatchObject({ email: 'elsewhere@example.com', role: 'user' });
  await change('is_active = 0');
  expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
});

const sessions = () => backoffice.sql('select from sessions where admin_id = $1', [admin.id]);

describe('a sign-out', () => {
  const signOut = () =>
    backoffice.service.fetch('/api/admin/session', { method: 'DELETE', headers: { cookie: admin.cookie } });

  test('ends only its own session', async () => {
    const other = await openSession(backoffice.service.url, admin.email);
    const response = await signOut();
    expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
    expect(await statusWith(backoffice.service, other)).toBe(200);
  });

  test('while a request is running does not keep it from its answer, which does not restore the session', async () => {
    const slow = await duringTransaction(backoffice, ['lock table issues'], async (client) => {
      const { cookie } = admin;
      const request = backoffice.service.fetch('/api/admin/issues', { headers: { cookie } });
      await untilBlocked(backoffice);
      expect((await signOut()).status).toBe(200);
      await client.query('commit');
      return await request;
    });
    expect([slow.status, await slow.json()]).toEqual([200, { issues: [] }]);
    expect(await sessions()).toEqual([]);
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
  });

  test('before an update of the last request does not let it restore the session', async () => {
    await age('last_seen_at', '5 minutes');
    await duringTransaction(backoffice, ['select 1 from sessions for update'], async (client) => {
      const end = signOut();
      // Two are blocked: the update of this request, and the end of the session.
      await untilBlocked(backoffice, 2);
      expect(await statusWith(backoffice.service, admin.cookie)).toBe(200);
      await untilBlocked(backoffice, 3);
      await client.query('commit');
      expect((await end).status).toBe(200);
      await untilBlocked(backoffice, 0);
    });
    expect(await sessions()).toEqual([]);
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
  });
});

describe('the lifetime of a session', () => {
  const brief = instanceHere(backoffice, { SESSION_IDLE_MINUTES: '2', SESSION_HOURS: '1' });

  test('ends after 30 minutes without a request', async () => {
    await age('last_seen_at', '29 minutes 50 seconds');
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(200);
    // That request updated the time, so it is also recent enough for a limit of two minutes.
    await expect.poll(() => statusWith(brief, admin.cookie)).toBe(200);
    await age('last_seen_at', '30 minutes 1 second');
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
  });

  test('ends after 12 hours in any case, and is as long as the configuration says', async () => {
    await openSession(brief.url, admin.email);
    const hours = '(extract(epoch from expire - created_at) / 3600)::float';
    const lifetimes = `select ${hours} as hours from sessions where admin_id = $1 order by 1`;
    expect(await backoffice.sql(lifetimes, [admin.id])).toEqual([{ hours: 1 }, { hours: 12 }]);
    await age('last_seen_at', '2 minutes 1 second');
    expect(await statusWith(brief, admin.cookie)).toBe(401);
    await age('expire', '1 second');
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
  });

  test('leaves no row behind: only expired rows are pruned', async () => {
    await age('expire', '1 second');
    const store = openStore();
    await promisify(store.pruneSessions.bind(store))();
    expect(await sessions()).toEqual([]);
    // The service does so from the first minute on.
    await store.close();
    const running = openStore();
    expect(running).not.toHaveProperty('pruneTimer');
    running.restartIdleTime('any');
    expect(running).toHaveProperty('pruneTimer', expect.anything());
    expect(await statusWith(backoffice.service, backoffice.superadmin.cookie)).toBe(200);
  });
});

function openStore(): SessionStore {
  const { primary: db } = backoffice.service.services.databases;
  const store = new SessionStore({ db, idleSeconds: 60, log: pino({ level: 'silent' }) });
  onTestFinished(async () => await store.close());
  return store;
}

test('the store of express-session reads the admin, stores data, and restores no session that has ended', async () => {
  const store = openStore();
  const [get, set, destroy] = [
    promisify<string, SessionData | null | undefined>(store.get.bind(store)),
    promisify(store.set.bind(store)),
    promisify(store.destroy.bind(store)),
  ];
  const sid = /=s:(.+)\./.exec(decodeURIComponent(admin.cookie))?.[1] ?? '';
  const read = await get(sid);
  expect(read).toMatchObject({ adminId: admin.id, live: { stale: false, admin: { role: 'superadmin' } } });
  await set(sid, { ...read, theme: 'dark' } as unknown as SessionData);
  expect(await backoffice.sql('select sess from sessions where admin_id = $1', [admin.id])).toEqual([
    { sess: { adminId: admin.id, theme: 'dark' } },
  ]);
  const late = await get(sid);
  expect(late).toMatchObject({ theme: 'dark', live: { admin: { id: admin.id } } });
  await destroy(sid);
  await set(sid, late as SessionData);
  expect([await get(sid), await sessions()]).toEqual([null, []]);
});
