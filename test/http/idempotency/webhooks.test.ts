import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KeyedResponse, postWithKey, replayOf } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';
import { type Receiver, respondWith, startReceiver } from '../../support/receivers.ts';

const backoffice = backofficeHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
let receiver: Receiver;
let id: number;

beforeEach(async () => {
  receiver = await startReceiver();
  ({
    webhook: { id },
  } = await backoffice.superadmin.client.call('webhooks.create', { url: receiver.url }));
});
afterEach(() => receiver.close());

function post(path: string, body: object, key: string): Promise<KeyedResponse> {
  const { service, superadmin } = backoffice;
  return postWithKey(service.url, superadmin, `/webhooks/${path}`, body, key);
}

test('a webhook gets one test message for two requests with the same key', async () => {
  const first = await post('test', { id }, 'one test');
  expect(first.status).toBe(200);
  expect(await post('test', { id }, 'one test')).toEqual(replayOf(first));
  expect(receiver.arrivals).toHaveLength(1);
});

test('a replay of messages wakes their webhook', async () => {
  const { sql } = backoffice;
  await sql(
    `insert into webhook_deliveries (webhook_id, message_id, type, payload, status)
     values ($1, 'evt_1', 'issue.created', '{}', 'failed')`,
    [id],
  );
  const replay = { webhook_id: id, since: '2026-01-30T00:00:00Z', status: 'failed' };
  const first = await post('replay', replay, 'one replay');
  expect(first.text).toBe('{"success":true,"replayed":1}');
  expect(await sql('select from graphile_worker.jobs where key = $1', [`webhook:${id}`])).toHaveLength(1);
});

test('requests that wait for a receiver leave connections for all others', async () => {
  const { api } = backoffice;
  const held: (() => void)[] = [];
  receiver.respond = (response, arrival) => {
    held.push(() => respondWith(204)(response, arrival));
  };
  // More than the pool has connections.
  const tests = Array.from({ length: 12 }, (_, index) => post('test', { id }, `held ${index}`));
  await expect.poll(() => held.length, { interval: 5 }).toBeGreaterThan(1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => api.post('/issues', { title: `Meanwhile ${index}` })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  receiver.respond = respondWith(204);
  for (const release of held) release();
  expect(new Set((await Promise.all(tests)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(receiver.arrivals).toHaveLength(12);
});
