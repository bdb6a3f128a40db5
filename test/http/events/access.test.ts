import { beforeEach, describe, expect, test } from 'vitest';
import { apiAs, bearer } from '../../support/here/requests.ts';
import {
  backofficeHere,
  instanceHere,
  openSession,
  type SignedIn,
  startInstance,
  type TestService,
} from '../../support/here.ts';

const backoffice = backofficeHere();
/** Far longer than an immediate end takes, and shorter than the 30 seconds between reads without a notification. */
const immediateMs = 20_000;
/** Two more instances: one checks access only on events, the other also every 100 ms. */
const checksOnEvents = instanceHere(backoffice, {}, { eventLimits: { heartbeatMs: 600_000 } });
const checksOften = instanceHere(backoffice, {}, { eventLimits: { heartbeatMs: 100 } });
let admin: SignedIn;

beforeEach(async () => {
  admin = await backoffice.service.signIn('superadmin');
});

/** An open stream: what it has sent, when it ends, and how to leave it. */
type Stream = Awaited<ReturnType<typeof open>>;

/** Opens a stream. Resolves when it has started. */
async function open({ url }: TestService, headers: Record<string, string>) {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/admin/events`, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  let text = '';
  const read = async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece;
  };
  const end = read().catch(() => 'left');
  await expect.poll(() => text).toContain('\nid: ');
  return {
    get text() {
      return text;
    },
    end,
    leave: () => leaving.abort(),
  };
}

async function expectEnd({ end }: Stream): Promise<void> {
  const startedAt = performance.now();
  await end;
  expect(performance.now() - startedAt).toBeLessThan(immediateMs);
}

const update = (fields: object, { client } = backoffice.superadmin) =>
  client.call('admins.update', { id: admin.id, ...fields });

describe('a stream on another instance ends immediately', () => {
  test.for<readonly [what: string, change: () => Promise<unknown>]>([
    ['its session is ended', () => backoffice.api.delete(`/sessions?admin_id=${admin.id}`)],
    ['its admin is inactive', () => backoffice.api.put('/admins/activity', { id: admin.id, is_active: 0 })],
    ['its admin is deleted', () => backoffice.api.delete(`/admins?id=${admin.id}`)],
    ['its admin gets another password', () => update({ password: 'another' })],
    ['its admin lowers its own role', () => update({ role: 'user' }, admin)],
  ])('when %s', async ([, change]) => {
    const stream = await open(checksOnEvents, { cookie: admin.cookie });
    await change();
    await expectEnd(stream);
    // Not even the event that ended it is sent.
    expect(stream.text).not.toContain('data:');
  });

  test('when its token is revoked, also one that acts as a person', async () => {
    const ofShell = await backoffice.service.createToken('superadmin');
    const ofAdmin = await admin.client.call('tokens.create', { name: 'own', role: 'superadmin' });
    for (const { secret, token } of [ofShell, ofAdmin]) {
      const stream = await open(checksOnEvents, bearer(secret));
      await backoffice.superadmin.client.call('tokens.revoke', { id: token.id });
      await expectEnd(stream);
    }
  });
});

test('a stream ends at the next heartbeat after its session or token has expired', async () => {
  for (const change of [
    `update sessions set last_seen_at = now() - interval '31 minutes' where admin_id = $1`,
    'update sessions set expire = now() where admin_id = $1',
  ]) {
    const own = await backoffice.service.signIn('user');
    const stream = await open(checksOften, { cookie: own.cookie });
    await backoffice.sql(change, [own.id]);
    await expectEnd(stream);
  }
  const { secret, token } = await admin.client.call('tokens.create', { name: 'own', expires_days: 1 });
  const stream = await open(checksOften, bearer(secret));
  await backoffice.sql('update api_tokens set expires_at = now() where id = $1', [token.id]);
  await expectEnd(stream);
});

describe('a stream continues', () => {
  test('after events that do not affect its access', async () => {
    const stream = await open(checksOnEvents, { cookie: admin.cookie });
    await update({ password: 'my own change' }, admin);
    await update({ username: 'Renamed' });
    await expect.poll(() => stream.text.match(/event: admin\.updated/g)?.length).toBe(2);
    stream.leave();
    expect(await stream.end).toBe('left');
  });

  test("with heartbeats; neither they nor its start reset the session's idle time", async () => {
    const idle =
      'select extract(epoch from now() - last_seen_at)::int as seconds from sessions where admin_id = $1';
    const idleSeconds = async () => (await backoffice.sql(idle, [admin.id]))[0]?.seconds;
    const age = `update sessions set last_seen_at = now() - interval '20 minutes' where admin_id = $1`;
    await backoffice.sql(age, [admin.id]);
    const stream = await open(checksOften, { cookie: admin.cookie });
    await expect.poll(() => stream.text.match(/: alive\n/g)?.length).toBeGreaterThan(4);
    expect(await idleSeconds()).toBeGreaterThan(1_190);
    await admin.client.call('issues.list', { limit: 1 });
    await expect.poll(idleSeconds).toBeLessThan(60);
    stream.leave();
  });
});

test('an account that opens too many streams loses its oldest, of whichever session, and no other account does', async () => {
  const small = await startInstance(backoffice, {}, { eventLimits: { maxPerActor: 2 } });
  const other = await backoffice.service.signIn('user');
  const again = await openSession(small.url, admin.email);
  const streams: Stream[] = [];
  // One after another, so that their order is known.
  for (const cookie of [admin.cookie, other.cookie, again]) streams.push(await open(small, { cookie }));
  streams.push(await open(small, { cookie: again }));
  await streams[0]?.end;
  expect(streams[0]?.text).toMatch(/\n\nretry: \d+\n\n$/);
  expect(small.services.events.followers).toBe(3);
  for (const { leave } of streams) leave();
});

test('an instance keeps its limit of followers in a burst: 503 with Retry-After, and a stream that ends for a browser', async () => {
  const small = await startInstance(backoffice, {}, { eventLimits: { maxFollowers: 2 } });
  const { cookie } = admin;
  const connect = (headers = {}) => small.fetch('/api/admin/events', { headers: { cookie, ...headers } });
  const answers = await Promise.all(Array.from({ length: 10 }, () => connect()));
  const [first, second, ...refused] = answers.toSorted((a, b) => a.status - b.status);
  expect([first?.status, second?.status]).toEqual([200, 200]);
  const sentence = 'This instance has too many followers. Try again in a few seconds.';
  for (const answer of refused) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toEqual({ error: sentence });
  }
  // An EventSource reconnects only after a stream.
  const browser = await connect({ accept: 'text/event-stream' });
  expect(browser.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(browser.status).toBe(200);
  expect(await browser.text()).toMatch(new RegExp(`^: ${sentence}\nretry: [67]\\d{3}\n\n$`));
  await first?.body?.cancel();
  await expect.poll(async () => (await apiAs(small.url, admin).get('/events')).status).toBe(200);
  await second?.body?.cancel();
});
