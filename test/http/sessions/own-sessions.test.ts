import { beforeEach, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { deviceName } from '../../../src/http/sessions/cookie.ts';
import { placeOf } from '../../../src/services/call/networks.ts';
import { signIn, statusWith } from '../../support/here/accounts.ts';
import { apiAs, success } from '../../support/here/requests.ts';
import { backofficeHere, password, type SignedIn } from '../../support/here.ts';

const backoffice = backofficeHere();
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0';
let me: SignedIn;

beforeEach(async () => {
  me = await backoffice.service.signIn('user');
});

const api = () => apiAs(backoffice.service.url, me);

async function ownSessions() {
  return ((await api().get('/sessions/own')).body as OutputOf<'sessions.listOwn'>).sessions;
}

/** Signs in with another browser. Returns the cookie. */
async function signInWith(userAgent: string): Promise<string> {
  const answer = await signIn(backoffice.service, { email: me.email, password }, { 'user-agent': userAgent });
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** Returns what the events of the account's sign-ins say, oldest first. */
const signIns = () =>
  backoffice.sql(
    `select data ->> 'new_device' as device, data ->> 'new_network' as network
     from events where type = 'session.started' and data ->> 'admin_id' = $1 order by id`,
    [me.id],
  );

test('every role lists its own sessions, with device and address, and knows the current one', async () => {
  await signInWith(firefox);
  const sessions = await ownSessions();
  expect(sessions).toHaveLength(2);
  expect(sessions.filter(({ is_current }) => is_current)).toMatchObject([{ device: 'Node.js' }]);
  expect(sessions.find(({ is_current }) => !is_current)).toMatchObject({
    device: 'Firefox on Windows',
    address: expect.stringContaining('127.0.0.1'),
  });
});

test('ends one of its own sessions, or all others, and none of anybody else', async () => {
  const [second, third] = [await signInWith(firefox), await signInWith('curl/8.0')];
  const ended = (await ownSessions()).find(({ device }) => device === 'Firefox on Windows');
  expect(await api().delete(`/sessions/own?id=${ended?.id}`)).toEqual(success);
  expect(await statusWith(backoffice.service, second)).toBe(401);
  expect(await statusWith(backoffice.service, third)).toBe(200);
  expect(await api().delete('/sessions/own?others=1')).toEqual(success);
  expect(await statusWith(backoffice.service, third)).toBe(401);
  expect(await statusWith(backoffice.service, me.cookie)).toBe(200);
  const [other] = await backoffice.sql('select sid from sessions where admin_id = $1', [
    backoffice.superadmin.id,
  ]);
  expect(await api().delete(`/sessions/own?id=${other?.sid}`)).toEqual(success);
  expect(await statusWith(backoffice.service, backoffice.superadmin.cookie)).toBe(200);
});

test('an API token has no session', async () => {
  const { secret } = await backoffice.service.createToken('user');
  const token = apiAs(backoffice.service.url, { authorization: `Bearer ${secret}` });
  expect((await token.get('/sessions/own')).body).toEqual({ sessions: [] });
  expect(await token.delete('/sessions/own?others=1')).toEqual(success);
  expect((await token.get('/session')).body).toMatchObject({ expires_at: null, idle_expires_at: null });
});

test('the current session tells when it ends', async () => {
  const { expires_at, idle_expires_at } = (await api().get('/session')).body as OutputOf<'session.show'>;
  expect(Math.abs(Date.parse(String(expires_at)) - Date.now() - 12 * 3_600_000)).toBeLessThan(120_000);
  expect(Math.abs(Date.parse(String(idle_expires_at)) - Date.now() - 30 * 60_000)).toBeLessThan(120_000);
});

test('a request in the background does not restart the idle time, and any other does', async () => {
  await backoffice.sql(
    `update sessions set last_seen_at = now() - interval '20 minutes' where admin_id = $1`,
    [me.id],
  );
  const minutesLeft = async (headers: Record<string, string>) => {
    const answer = await backoffice.service.fetch('/api/admin/session', {
      headers: { cookie: me.cookie, ...headers },
    });
    const { idle_expires_at: end } = (await answer.json()) as OutputOf<'session.show'>;
    return Math.round((Date.parse(String(end)) - Date.now()) / 60_000);
  };
  expect(await minutesLeft({ prefer: 'handling=strict, background' })).toBe(10);
  expect(await minutesLeft({ prefer: 'background; reason=timer' })).toBe(10);
  expect(await minutesLeft({ prefer: 'handling=strict' })).toBe(30);
  await expect.poll(() => minutesLeft({ prefer: 'background' })).toBe(30);
});

test('the session tells the rules of the service if asked', async () => {
  const { rules } = (await api().get('/session?include=rules')).body as OutputOf<'session.show'>;
  expect(rules).toEqual({ strict_roles: false, password_min_length: 6, sends_mail: false });
  expect((await api().get('/session')).body).not.toHaveProperty('rules');
  const isGenerated = async () =>
    ((await api().get('/session?include=password')).body as OutputOf<'session.show'>).generated_password;
  expect(await isGenerated()).toBe(false);
  await backoffice.sql('update admins set generated_password_hash = password_hash where id = $1', [me.id]);
  expect(await isGenerated()).toBe(true);
});

test('the session tells the id of the latest event if asked', async () => {
  const latest = async () =>
    ((await api().get('/session?include=events')).body as OutputOf<'session.show'>).latest_event;
  /** Returns the id of the event of a new issue. */
  async function reportIssue(): Promise<number | undefined> {
    await api().post('/issues', { title: 'Printer on fire', severity: 'Low' });
    const { body } = await api().get('/events/latest?types=issue.created&limit=1');
    return (body as OutputOf<'events.list'>).events[0]?.id;
  }
  const before = await reportIssue();
  const known = await latest();
  expect(known).toBeGreaterThanOrEqual(Number(before));
  expect(await reportIssue()).toBeGreaterThan(Number(known));
  expect((await api().get('/session')).body).not.toHaveProperty('latest_event');
});

test('the network and the device of a sign-in are remembered', async () => {
  await signInWith(firefox);
  const of = (table: string, column: string) =>
    backoffice.sql(`select ${column} as name from ${table} where admin_id = $1 order by 1`, [me.id]);
  expect(await of('sign_in_networks', 'network')).toEqual([{ name: '127.0.0.0/24' }, { name: '127.0.0.1' }]);
  expect(await of('sign_in_devices', 'device')).toEqual([
    { name: 'Firefox on Windows' },
    { name: 'Node.js' },
  ]);
});

test('the event of a sign-in says whether the device or the network is new', async () => {
  await signInWith(firefox);
  await signInWith(firefox);
  await expect.poll(signIns).toEqual([
    { device: 'true', network: 'true' },
    { device: 'true', network: null },
    { device: null, network: null },
  ]);
});

test.for([
  [firefox, 'Firefox on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge on Linux'],
  ['<script>alert(1)</script>', 'Unknown browser'],
  ['', 'Unknown browser'],
])('a device has a short name: %s', ([userAgent, name]) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.for([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1/48'],
  ['', ''],
])('the place of the address %s is %s', ([address = '', place]) => {
  expect(placeOf(address)).toBe(place);
});
