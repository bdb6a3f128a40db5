import { beforeEach, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { statusWith } from '../../support/here/accounts.ts';
import { apiAs, success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere, instanceHere, openSession, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice, { SESSION_IDLE_MINUTES: '10' });
let other: SignedIn;

beforeEach(async () => {
  await backoffice.sql('delete from sessions where admin_id <> $1', [backoffice.superadmin.id]);
  other = await backoffice.service.signIn('user');
});

type Session = OutputOf<'sessions.list'>['sessions'][number];

const list = async () => (await backoffice.superadmin.client.call('sessions.list')).sessions;
const sessionsOf = async ({ id }: SignedIn) => (await list()).filter(({ admin_id }) => admin_id === id);

async function sessionOf(admin: SignedIn): Promise<Session> {
  const [session] = await sessionsOf(admin);
  if (session === undefined) throw new Error('The admin has no session.');
  return session;
}

/** Runs SQL without the triggers, which would end the session. */
async function set(table: 'sessions' | 'admins', change: string, of: SignedIn): Promise<void> {
  const key = table === 'admins' ? 'id' : 'admin_id';
  await backoffice.sql('set session_replication_role = replica');
  await backoffice.sql(`update ${table} set ${change} where ${key} = $1`, [of.id]);
  await backoffice.sql('reset session_replication_role');
}

describe('GET sessions', () => {
  test('tells where each was started if asked, and which one is the own', async () => {
    const { sessions } = await backoffice.superadmin.client.call('sessions.list', { include: 'origin' });
    const of = ({ id }: SignedIn) => sessions.find(({ admin_id }) => admin_id === id);
    const here = { device: 'Node.js', address: expect.stringContaining('127.0.0.1') };
    expect(of(other)).toMatchObject({ ...here, is_current: false });
    expect(of(backoffice.superadmin)).toMatchObject({ ...here, is_current: true });
  });

  test("lists each session with its admin's current fields, and its times", async () => {
    await set('admins', `email = 'renamed@example.com', role = 'admin'`, other);
    const session = await sessionOf(other);
    expect(session).toStrictEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      admin_id: other.id,
      email: 'renamed@example.com',
      role: 'admin',
      created_at: expect.stringMatching(timestampPattern),
      last_seen_at: session.created_at,
      expires_at: expect.stringMatching(timestampPattern),
    });
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * 3_600_000);
  });

  test('is ordered by last use, latest first, then by id, highest first', async () => {
    for (let count = 0; count < 3; count++) await openSession(backoffice.service.url, other.email);
    const earlier = await backoffice.service.signIn('user');
    const latest = await backoffice.service.signIn('user');
    await set('sessions', `last_seen_at = now() - interval '5 minutes'`, other);
    await set('sessions', `last_seen_at = now() - interval '10 minutes'`, earlier);
    // This request counts as a use of its own session.
    const sessions = (await list()).filter(({ admin_id }) => admin_id !== backoffice.superadmin.id);
    expect(sessions.map(({ admin_id }) => admin_id)).toEqual([
      latest.id,
      ...Array(4).fill(other.id),
      earlier.id,
    ]);
    const tied = sessions.slice(1, 5).map(({ id }) => id);
    const stored = await backoffice.sql('select sid from sessions where admin_id = $1 order by sid desc', [
      other.id,
    ]);
    expect(tied).toEqual(stored.map(({ sid }) => sid));
  });

  test.for([
    ['has expired', 'sessions', `expire = now()`],
    ['was idle too long', 'sessions', `last_seen_at = now() - interval '30 minutes'`],
    ['belongs to an inactive admin', 'admins', 'is_active = 0'],
  ] as const)('omits a session that %s', async ([, table, change]) => {
    expect(await sessionsOf(other)).toHaveLength(1);
    await set(table, change, other);
    expect(await sessionsOf(other)).toEqual([]);
    expect(await statusWith(backoffice.service, other.cookie)).toBe(401);
  });

  test('uses the idle time of the requested instance', async () => {
    await set('sessions', `last_seen_at = now() - interval '11 minutes'`, other);
    expect(await sessionsOf(other)).toHaveLength(1);
    const { body } = await apiAs(second.url, backoffice.superadmin).get('/sessions');
    expect((body as { sessions: Session[] }).sessions.map(({ admin_id }) => admin_id)).not.toContain(
      other.id,
    );
  });

  test('omits a session that was signed out', async () => {
    await apiAs(backoffice.service.url, other).delete('/session');
    expect(await sessionsOf(other)).toEqual([]);
  });
});

describe('DELETE sessions', () => {
  const remove = (query: string, by = backoffice.api) => by.delete(`/sessions?${query}`);

  test('ends the session with that id immediately, on every instance, and no other', async () => {
    const { id } = await sessionOf(other);
    expect(await statusWith(second, other.cookie)).toBe(200);
    const another = await openSession(backoffice.service.url, other.email);
    expect(await remove(`id=${id}`)).toEqual(success);
    expect(await statusWith(second, other.cookie)).toBe(401);
    expect(await statusWith(backoffice.service, other.cookie)).toBe(401);
    expect(await backoffice.sql('select 1 from sessions where sid = $1', [id])).toEqual([]);
    expect(await statusWith(backoffice.service, another)).toBe(200);
  });

  test("with an admin's id ends all sessions of that admin and no others", async () => {
    const another = await openSession(backoffice.service.url, other.email);
    const third = await backoffice.service.signIn('user');
    expect(await remove(`admin_id=${other.id}`)).toEqual(success);
    expect(await statusWith(backoffice.service, other.cookie)).toBe(401);
    expect(await statusWith(backoffice.service, another)).toBe(401);
    expect(await statusWith(backoffice.service, third.cookie)).toBe(200);
    expect(await statusWith(backoffice.service, backoffice.superadmin.cookie)).toBe(200);
  });

  test('with both ids ends that session and all sessions of that admin', async () => {
    const third = await backoffice.service.signIn('user');
    expect(await remove(`id=${(await sessionOf(other)).id}&admin_id=${third.id}`)).toEqual(success);
    expect(await statusWith(backoffice.service, other.cookie)).toBe(401);
    expect(await statusWith(backoffice.service, third.cookie)).toBe(401);
  });

  test("can end the caller's own session", async () => {
    const admin = await backoffice.service.signIn('admin');
    const { id } = await sessionOf(admin);
    expect(await remove(`id=${id}`, apiAs(backoffice.service.url, admin))).toEqual(success);
    expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
  });

  test('succeeds for unknown ids and ends none', async () => {
    const before = (await list()).length;
    const unknown = ['id=unknown', 'id=%25', `id=${other.id}`, 'admin_id=admin_0_nobody', 'admin_id=%25'];
    for (const query of unknown) expect(await remove(query)).toEqual(success);
    expect(await list()).toHaveLength(before);
  });
});
