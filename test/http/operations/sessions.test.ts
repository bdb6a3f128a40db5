import { beforeEach, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { placeOf } from '../../../src/services/call/networks.ts';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, success, timestampPattern } from '../../support/here/requests.ts';
import { sqlWithoutTriggers } from '../../support/here/rows.ts';
import { backofficeHere, instanceHere, openSession, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();
const second = instanceHere(backoffice);
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

/** Changes rows without the triggers, which would end the session. */
const set = (table: 'sessions' | 'admins', change: string, { id }: SignedIn) =>
  sqlWithoutTriggers(
    backoffice,
    `update ${table} set ${change} where ${table === 'admins' ? 'id' : 'admin_id'} = $1`,
    [id],
  );

describe('GET sessions', () => {
  test("lists each session with its admin's current fields, its times, and where it was started if asked", async () => {
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
    const { sessions } = await backoffice.superadmin.client.call('sessions.list', { include: 'origin' });
    const here = { device: 'Node.js', address: expect.stringContaining('127.0.0.1') };
    for (const { id } of [other, backoffice.superadmin]) {
      const found = sessions.find(({ admin_id }) => admin_id === id);
      expect(found).toMatchObject({ ...here, is_current: id !== other.id });
    }
  });

  test('is ordered by last use, latest first', async () => {
    const earlier = await backoffice.service.signIn('user');
    const latest = await backoffice.service.signIn('user');
    await set('sessions', `last_seen_at = now() - interval '5 minutes'`, other);
    await set('sessions', `last_seen_at = now() - interval '10 minutes'`, earlier);
    // This request counts as a use of its own session.
    const owners = (await list()).map(({ admin_id }) => admin_id);
    const own = backoffice.superadmin.id;
    expect(owners.filter((id) => id !== own)).toEqual([latest.id, other.id, earlier.id]);
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
});

describe('DELETE sessions', () => {
  const remove = (query: string) => backoffice.api.delete(`/sessions?${query}`);

  test.for<[what: string, queryOf: (id: string) => string, left: [own: number, another: number]]>([
    ['with an id ends that session and no other', (id) => `id=${id}`, [401, 200]],
    ["with an admin's id ends all sessions of that admin", () => `admin_id=${other.id}`, [401, 401]],
  ])('%s, immediately and on every instance', async ([, queryOf, left]) => {
    const { id } = await sessionOf(other);
    expect(await statusWith(second, other.cookie)).toBe(200);
    const another = await openSession(backoffice.service.url, other.email);
    const third = await backoffice.service.signIn('user');
    expect(await remove(queryOf(id))).toEqual(success);
    for (const service of [second, backoffice.service]) {
      const statuses = [await statusWith(service, other.cookie), await statusWith(service, another)];
      expect(statuses).toEqual(left);
    }
    expect(await backoffice.sql('select 1 from sessions where sid = $1', [id])).toEqual([]);
    expect(await statusWith(backoffice.service, third.cookie)).toBe(200);
  });
});

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0';
const api = () => apiAs(backoffice.service.url, other);
const ownSessions = async () => (await other.client.call('sessions.listOwn')).sessions;
const show = (include: string) => other.client.call('session.show', { include });

/** Signs in with another browser. Returns the cookie. */
async function signInWith(userAgent: string): Promise<string> {
  const headers = { 'user-agent': userAgent };
  const answer = await signIn(backoffice.service, { email: other.email, password }, headers);
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

test('every role lists its own sessions, and ends one of them, or all others, and none of anybody else', async () => {
  const [second, third] = [await signInWith(firefox), await signInWith('curl/8.0')];
  const sessions = await ownSessions();
  expect(sessions.map(({ device, is_current }) => `${device} ${is_current}`).toSorted()).toEqual([
    'Firefox on Windows false',
    'Node.js true',
    'curl false',
  ]);
  for (const { address } of sessions) expect(address).toContain('127.0.0.1');
  const statuses = () =>
    Promise.all([other.cookie, second, third].map((cookie) => statusWith(backoffice.service, cookie)));
  const ended = sessions.find(({ device }) => device === 'Firefox on Windows');
  expect(await api().delete(`/sessions/own?id=${ended?.id}`)).toEqual(success);
  expect(await statuses()).toEqual([200, 401, 200]);
  expect(await api().delete('/sessions/own?others=1')).toEqual(success);
  expect(await statuses()).toEqual([200, 401, 401]);
  const theirs = await sessionOf(backoffice.superadmin);
  expect(await api().delete(`/sessions/own?id=${theirs.id}`)).toEqual(success);
  expect(await statusWith(backoffice.service, backoffice.superadmin.cookie)).toBe(200);
});

test('a request in the background does not restart the idle time, and any other does', async () => {
  await set('sessions', `last_seen_at = now() - interval '20 minutes'`, other);
  const minutesLeft = async (headers: Record<string, string>) => {
    const answer = await backoffice.service.fetch('/api/admin/session', {
      headers: { cookie: other.cookie, ...headers },
    });
    const { idle_expires_at: end } = (await answer.json()) as OutputOf<'session.show'>;
    return Math.round((Date.parse(String(end)) - Date.now()) / 60_000);
  };
  expect(await minutesLeft({ prefer: 'handling=strict, background' })).toBe(10);
  expect(await minutesLeft({ prefer: 'background; reason=timer' })).toBe(10);
  expect(await minutesLeft({ prefer: 'handling=strict' })).toBe(30);
  await expect.poll(() => minutesLeft({ prefer: 'background' })).toBe(30);
});

test('the session tells when it ends, and the rules of the service and the state of the password if asked', async () => {
  const plain = await other.client.call('session.show');
  for (const [at, minutes] of [
    [plain.expires_at, 12 * 60],
    [plain.idle_expires_at, 30],
  ] as const)
    expect(Math.abs(Date.parse(String(at)) - Date.now() - minutes * 60_000)).toBeLessThan(120_000);
  for (const field of ['rules', 'generated_password', 'latest_event'])
    expect(plain).not.toHaveProperty(field);
  const rules = { strict_roles: false, password_min_length: 6, sends_mail: false };
  expect(await show('rules')).toMatchObject({ rules });
  expect(await show('password')).toMatchObject({ generated_password: false });
  await backoffice.sql('update admins set generated_password_hash = password_hash where id = $1', [other.id]);
  expect(await show('password')).toMatchObject({ generated_password: true });
});

test('the session tells the id of the latest event if asked', async () => {
  const known = Number((await show('events')).latest_event);
  await other.client.call('issues.create', { title: 'Printer on fire' });
  const { events } = await other.client.call('events.list', { types: 'issue.created', limit: 1 });
  expect(events[0]?.id).toBeGreaterThan(known);
  expect((await show('events')).latest_event).toBeGreaterThanOrEqual(Number(events[0]?.id));
});

test('the event of a sign-in says whether its network and its device are new', async () => {
  await signInWith(firefox);
  await signInWith(firefox);
  const signIns = () =>
    backoffice.sql(
      `select data ->> 'new_device' as device, data ->> 'new_network' as network
       from events where type = 'session.started' and data ->> 'admin_id' = $1 order by id`,
      [other.id],
    );
  await expect.poll(signIns).toEqual([
    { device: 'true', network: 'true' },
    { device: 'true', network: null },
    { device: null, network: null },
  ]);
});

test.for([
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1/48'],
])('a sign-in from %s is remembered as one from %s', ([address = '', place]) => {
  expect(placeOf(address)).toBe(place);
});
