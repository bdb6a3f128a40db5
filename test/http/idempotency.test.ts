import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask, atOnce, type Caller, countByStatus, postWithKey, replayOf } from '../support/here/requests.ts';
import { auditRecordsOf } from '../support/here/rows.ts';
import { backofficeHere, openSession, password, startInstance, type TestService } from '../support/here.ts';
import { duringTransaction, untilBlocked } from '../support/postgres.ts';
import { respondWith, startReceiver } from '../support/receivers.ts';

const backoffice = backofficeHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });

const reused = JSON.stringify({ error: 'This Idempotency-Key was used for a different request.' });
const inUse = JSON.stringify({ error: 'The first request with this Idempotency-Key is still running.' });

/** Creates an issue with a key, as the superadmin by default. */
const create = (
  key: string,
  body: object = { title: 'T' },
  caller: Caller = backoffice.superadmin,
  { url }: Pick<TestService, 'url'> = backoffice.service,
) => postWithKey(url, caller, '/issues', body, key);

const issues = async () => (await backoffice.sql('select from issues')).length;
const keys = async () => (await backoffice.sql('select from idempotency_keys')).length;

beforeEach(async () => {
  await backoffice.sql('delete from issues');
  await backoffice.sql('delete from idempotency_keys');
});

// That it gets the same bytes and nothing is done again, test/every shows of each POST.
describe('a request that repeats a key', () => {
  test('may order the fields of its body differently; with another body it is 422, and the first answer stays', async () => {
    const first = await create('a', { title: 'T', severity: 'High' });
    expect(await create('a', { title: 'Another' })).toMatchObject({ status: 422, text: reused });
    expect(await create('a', { severity: 'High', title: 'T' })).toEqual(replayOf(first));
    expect(await issues()).toBe(1);
  });

  test('has the same key in another session, and another one for another account or operation', async () => {
    const { service, superadmin } = backoffice;
    const visitor = { visitor_email: 'v@example.com', visitor_name: 'V', title: 'T' };
    const first = await create('a', visitor);
    const cookie = await openSession(service.url, superadmin.email);
    expect(await create('a', visitor, { cookie })).toEqual(replayOf(first));
    const isNew = { status: 200, replayed: false };
    expect(await create('a', { title: 'Another' }, await service.signIn('superadmin'))).toMatchObject(isNew);
    const elsewhere = await postWithKey(service.url, superadmin, '/conversations', visitor, 'a');
    expect(elsewhere).toMatchObject(isNew);
  });

  test('24 hours later is a new request, whether the old answer is purged or not, and not earlier', async () => {
    const first = await create('a');
    await backoffice.sql("update idempotency_keys set created_at = now() - interval '23 hours 59 minutes'");
    expect(await create('a')).toEqual(replayOf(first));
    await backoffice.sql("update idempotency_keys set created_at = now() - interval '24 hours'");
    const second = await create('a', { title: 'Another day' });
    expect(second).toMatchObject({ status: 200, replayed: false });
    expect(await create('a', { title: 'Another day' })).toEqual(replayOf(second));
    expect(await keys()).toBe(1);
  });

  test('is checked for its session and role first', async () => {
    const { service } = backoffice;
    const user = await service.signIn('user');
    const account = { email: 'by-key@example.com', password: 'long enough' };
    const post = (caller: Caller) => postWithKey(service.url, caller, '/admins', account, 'a');
    const admin = await service.signIn('admin');
    expect((await post(admin)).status).toBe(200);
    expect((await post({})).status).toBe(401);
    expect((await post(user)).status).toBe(403);
    await backoffice.sql(`update admins set is_active = 0 where id = '${admin.id}'`);
    expect((await post(admin)).status).toBe(401);
  });
});

describe('the key', () => {
  test.for([
    ['255 characters', 'k'.repeat(255), 200],
    ['printable characters', '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~ ~', 200],
    ['256 characters', 'k'.repeat(256), 400],
    ['a character that is not ASCII', 'ké', 400],
  ] as const)('with %s is answered %i', async ([, key, status]) => {
    const answer = await create(key);
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.text).toBe('{"error":"Idempotency-Key must have 1 to 255 printable ASCII characters."}');
  });

  test('is ignored where requests set a state, and by sign-in', async () => {
    const { service, superadmin } = backoffice;
    const headers = { 'idempotency-key': 'x'.repeat(300) };
    const change = { method: 'PUT', as: superadmin, headers, body: { id: 1, status: 'Open' } };
    expect((await ask(service, '/api/admin/issues', change)).status).toBe(200);
    const credentials = { email: superadmin.email, password };
    const signIn = () => postWithKey(service.url, {}, '/session', credentials, 'a');
    for (const answer of [await signIn(), await signIn()])
      expect(answer).toMatchObject({ status: 200, replayed: false });
    expect(await keys()).toBe(0);
  });
});

describe('an error', () => {
  test('of the handler is stored, and what it did before is rolled back', async () => {
    const { service, superadmin, sql } = backoffice;
    const [before] = await sql('select count(*) from audit_records');
    const account = { email: superadmin.email, password: 'long enough' };
    const post = () => postWithKey(service.url, superadmin, '/admins', account, 'a');
    const first = await post();
    expect(first).toMatchObject({ status: 409, replayed: false, retryAfter: null });
    expect(await post()).toEqual(replayOf(first));
    expect(await sql('select count(*) from audit_records')).toEqual([before]);
  });

  test('of the input or of the service is not stored: the key may run again', async () => {
    expect(await create('a', { title: ' ' })).toMatchObject({ status: 400, replayed: false });
    await backoffice.sql('alter table issues rename to issues_away');
    for (let times = 0; times < 2; times++)
      expect(await create('a')).toMatchObject({ status: 500, replayed: false });
    await backoffice.sql('alter table issues_away rename to issues');
    const success = await create('a');
    expect(success).toMatchObject({ status: 200, replayed: false });
    expect(await create('a')).toEqual(replayOf(success));
    expect(await issues()).toBe(1);
  });
});

describe('at the same time', () => {
  test('twenty requests with one key create one issue; the others are told that it runs, or get its answer', async () => {
    const audited = (await auditRecordsOf(backoffice, 'issues.create')).length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('a')));
    const [first, ...rest] = answers.filter(({ status, replayed }) => status === 200 && !replayed);
    if (first === undefined) throw new Error('No request created an issue.');
    expect(rest).toEqual([]);
    for (const answer of answers) {
      if (answer.status === 409) expect(answer).toMatchObject({ text: inUse, retryAfter: '1' });
      else expect(answer.text).toBe(first.text);
    }
    expect(await issues()).toBe(1);
    expect(await keys()).toBe(1);
    expect(await auditRecordsOf(backoffice, 'issues.create')).toHaveLength(audited + 1);
    expect(await create('a')).toEqual(replayOf(first));
  });

  test('a request on another instance is told that the first is running, then gets its answer', async () => {
    const other = await startInstance(backoffice);
    const elsewhere = () => create('a', undefined, undefined, other);
    await duringTransaction(backoffice, ['lock table issues'], async (client) => {
      const first = create('a');
      await untilBlocked(backoffice);
      expect(await elsewhere()).toMatchObject({ status: 409, text: inUse, retryAfter: '1' });
      await client.query('commit');
      const answer = await first;
      expect(await elsewhere()).toEqual(replayOf(answer));
    });
    expect(await issues()).toBe(1);
  });
});

test('requests that wait for a receiver leave connections for all others', async () => {
  const { api, service, superadmin } = backoffice;
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { webhook } = await superadmin.client.call('webhooks.create', { url: receiver.url });
  const held: (() => void)[] = [];
  receiver.respond = (response, arrival) => {
    held.push(() => respondWith(204)(response, arrival));
  };
  // More than the pool has connections.
  const tests = Array.from({ length: 12 }, (_, index) =>
    postWithKey(service.url, superadmin, '/webhooks/test', { id: webhook.id }, `held ${index}`),
  );
  await expect.poll(() => held.length, { interval: 5 }).toBeGreaterThan(1);
  const answers = await atOnce(20, (index) => api.post('/issues', { title: `Meanwhile ${index}` }));
  expect(countByStatus(answers)).toEqual({ 200: 20 });
  receiver.respond = respondWith(204);
  for (const release of held) release();
  expect(countByStatus(await Promise.all(tests))).toEqual({ 200: 12 });
  expect(receiver.arrivals).toHaveLength(12);
});
