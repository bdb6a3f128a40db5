import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Follower, follow } from '../support/here/events.ts';
import { postWithKey } from '../support/here/requests.ts';
import { backofficeHere, openSession, startInstance } from '../support/here.ts';

const backoffice = backofficeHere();
const dayMs = 24 * 3_600_000;

/** Sets the clock of the service, and lets its timers and the database go on. */
function setClock(changeMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + changeMs });
}

beforeAll(async () => {
  await backoffice.superadmin.client.call('issues.create', { title: 'Before' });
});

afterEach(() => {
  vi.useRealTimers();
});

test.for([
  ['forward', dayMs],
  ['back', -dayMs],
] as const)('a clock that jumps a day %s ends and loses nothing', async ([way, changeMs]) => {
  const heartbeatMs = 200;
  const instance = await startInstance(backoffice, {}, { eventLimits: { heartbeatMs } });
  const { superadmin, sql } = backoffice;
  const own = await instance.signIn('user');
  const { secret } = await instance.createToken('user');
  const bearer = { authorization: `Bearer ${secret}` };
  const key = `jump ${way}`;
  const created = await postWithKey(instance.url, bearer, '/issues', { title: way }, key);
  const followers: Follower[] = [await follow(own.client), await follow(superadmin.client)];

  setClock(changeMs);
  for (const headers of [{ cookie: own.cookie }, bearer]) {
    const answer = await instance.fetch('/api/admin/issues?limit=1', { headers });
    expect(answer.status).toBe(200);
  }
  // A day is all that a key lasts.
  const repeated = await postWithKey(instance.url, bearer, '/issues', { title: way }, key);
  expect(repeated).toMatchObject({ text: created.text, replayed: true });
  await openSession(instance.url, own.email);
  const { id } = await own.client.call('issues.create', { title: `After, ${way}` });
  for (const follower of followers) await follower.until(({ type }) => type === 'issue.created');
  const [row] = await sql<{ isNow: boolean }>(
    `select abs(extract(epoch from now() - created_at)) < 3600 as "isNow" from issues where id = $1`,
    [id],
  );
  expect(row).toEqual({ isNow: true });

  // The next check of access, which only a heartbeat makes, ends the stream.
  await sql('delete from sessions where admin_id = $1', [own.id]);
  expect(await followers[0]?.ended).toMatchObject({ status: 401 });
  await followers[1]?.stop();
  vi.useRealTimers();
});
