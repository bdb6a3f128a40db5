import { afterEach, describe, expect, test } from 'vitest';
import { createWebhookSender } from '../../src/services/webhooks/sender.ts';
import { withClient } from '../support/postgres/server.ts';
import { untilBlocked } from '../support/postgres.ts';
import { respondWith, startReceiver, webhooksHere } from '../support/receivers.ts';

const defaultSender = createWebhookSender({ allowPrivate: true });
let sender = defaultSender;

const webhooks = webhooksHere({
  webhookSender: {
    refuses: (url) => sender.refuses(url),
    send: (message, signal) => sender.send(message, signal),
  },
});

afterEach(() => {
  sender = defaultSender;
});

describe('a receiver that', () => {
  test('redirects fails, and nothing is sent to the target', async () => {
    const elsewhere = await startReceiver();
    await webhooks.create();
    webhooks.receiver.respond = respondWith(307, { location: elsewhere.url });
    await webhooks.cause();
    const error = 'The receiver answered 307. Redirects are not followed.';
    await webhooks.untilDeliveries([{ status: 'pending', response_status: 307, error }]);
    expect(elsewhere.arrivals).toEqual([]);
    await elsewhere.close();
  });

  test('answers 410 deactivates its webhook, and nothing more is sent', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(410);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'failed', attempts: 1, response_status: 410 }]);
    expect(await webhooks.find(id)).toMatchObject({ is_active: 0 });
    await webhooks.cause();
    expect(await webhooks.deliveries()).toHaveLength(1);
    const { audit } = await webhooks.call('audit.list', { event: 'webhook.updated', limit: 1 });
    expect(audit[0]).toMatchObject({
      subject_id: String(id),
      before: { is_active: 1 },
      actor_kind: 'service',
      actor_name: 'backoffice',
      door: 'job',
      operation: 'webhooks.deliver',
      after: { is_active: 0, reason: expect.stringContaining('410') },
    });
  });

  test('has failed for days deactivates its webhook when a message is given up', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(500);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ attempts: 1 }]);
    await webhooks.cause();
    // The first may have been sent again.
    await webhooks.untilDeliveries([{}, { attempts: 1 }]);
    await webhooks.sql(`update webhooks set failing_since = now() - interval '5 days'`);
    await webhooks.sql(
      `update webhook_deliveries set attempts = 7 where id = (select min(id) from webhook_deliveries)`,
    );
    await webhooks.makeDue();
    await webhooks.untilDeliveries([
      { attempts: 8, status: 'failed', error: 'The receiver answered 500.' },
      { status: 'failed', error: 'The webhook was deactivated: no delivery succeeded for 5 days.' },
    ]);
    expect(await webhooks.find(id)).toMatchObject({ is_active: 0 });
  });

  test('does not answer fails after the timeout', async () => {
    sender = createWebhookSender({ allowPrivate: true, timeoutMs: 500 });
    webhooks.receiver.respond = () => {};
    await webhooks.create();
    await webhooks.cause();
    const error = 'No response within 0.5 seconds.';
    await webhooks.untilDeliveries([{ attempts: 1, error, response_status: null }]);
  });

  test('does not answer does not delay other receivers', async () => {
    const other = await startReceiver();
    webhooks.receiver.respond = () => {};
    await webhooks.create();
    await webhooks.create({ url: other.url });
    for (let number = 0; number < 3; number++) await webhooks.cause();
    await other.until(3);
    // Sequential delivery would have waited for all three.
    expect(webhooks.receiver.arrivals.length).toBeLessThan(3);
    await other.close();
  });

  test('never ends its body counts by its status, and only the start of the body is read', async () => {
    await webhooks.create();
    let closed = false;
    webhooks.receiver.respond = (response) => {
      const writing = setInterval(() => response.write('x'.repeat(100)), 5);
      response.on('close', () => {
        clearInterval(writing);
        closed = true;
      });
      response.writeHead(200);
      response.write('beginning');
    };
    await webhooks.cause();
    const [delivery] = await webhooks.untilDeliveries([{ status: 'succeeded', response_status: 200 }]);
    expect(delivery?.response_body).toMatch(/^beginningx*$/);
    expect(delivery?.response_body?.length).toBeLessThanOrEqual(1_024);
    await expect.poll(() => closed).toBe(true);
  });

  test('does not exist, closes the connection, does not speak HTTP or sends invalid text is logged as such', async () => {
    const gone = await startReceiver();
    await gone.close();
    const { id } = await webhooks.create({ url: gone.url });
    await webhooks.cause();
    await webhooks.untilDeliveries([{ attempts: 1, error: 'Connection refused.' }]);
    await webhooks.call('webhooks.update', { id, url: webhooks.receiver.url });
    webhooks.receiver.respond = (response) => response.socket?.destroy();
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ attempts: 2, error: 'Connection closed by the receiver.' }]);
    webhooks.receiver.respond = (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ attempts: 3, error: 'The response is not valid HTTP.' }]);
    webhooks.receiver.respond = (response) => response.end(Buffer.from([0, 0xff, 65]));
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ attempts: 4, status: 'succeeded', response_body: '\uFFFD\uFFFDA' }]);
  });
});

/** Returns the seconds from the last attempt of a delivery to the next. */
const retryDelayOf = ({ last_attempt_at, next_attempt_at }: Record<string, unknown>) =>
  (Date.parse(String(next_attempt_at)) - Date.parse(String(last_attempt_at))) / 1000;

describe('a message that is not accepted', () => {
  test('is sent again with growing delays, the same id and the same bytes, and then given up', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(500);
    const message_id = await webhooks.cause();
    const delays: number[] = [];
    for (let attempts = 1; attempts < 8; attempts++) {
      const failed = { message_id, attempts, response_status: 500, error: 'The receiver answered 500.' };
      const [delivery = {}] = await webhooks.untilDeliveries([{ ...failed, status: 'pending' }]);
      delays.push(retryDelayOf(delivery));
      await webhooks.makeDue();
    }
    await webhooks.untilDeliveries([{ message_id, attempts: 8, status: 'failed', next_attempt_at: null }]);
    const least = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
    for (const [index, minSeconds] of least.entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(minSeconds);
      expect(delays[index]).toBeLessThanOrEqual(minSeconds * 1.2 + 1);
    }
    // By up to a fifth at random, so that receivers are not all tried at once.
    expect(delays.some((delay, index) => delay > (least[index] ?? 0) * 1.001)).toBe(true);
    const { arrivals } = webhooks.receiver;
    expect(arrivals).toHaveLength(8);
    expect(new Set(arrivals.map((arrival) => `${arrival.id} ${arrival.body}`)).size).toBe(1);
    // It has been failing only for a moment, so it stays active.
    expect(await webhooks.find(id)).toMatchObject({ is_active: 1, failing_since: expect.any(String) });
  });

  test('is sent again automatically when it is due, and the webhook recovers', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(503);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    expect(await webhooks.find(id)).toMatchObject({ failing_since: expect.any(String) });
    const job = `from graphile_worker.jobs where key = 'webhook:${id}:later' and locked_at is null`;
    const due = () =>
      webhooks.sql(`select run_at = (select next_attempt_at from webhook_deliveries) as due ${job}`);
    await expect.poll(due).toEqual([{ due: true }]);
    webhooks.receiver.respond = respondWith(200);
    // Makes the delivery due.
    await webhooks.sql(`update webhook_deliveries set next_attempt_at = now()`);
    await webhooks.sql(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) ${job}`);
    await webhooks.untilDeliveries([{ status: 'succeeded', attempts: 2, response_status: 200, error: null }]);
    expect(await webhooks.find(id)).toMatchObject({ failing_since: null });
  });

  test('waits as long as the receiver asks, at most a day, and no less than it would by itself', async () => {
    await webhooks.create();
    const asked: readonly [retryAfter: () => string, seconds: number, most: number][] = [
      [() => '1000', 1_000, 1_000],
      [() => '99999999', 86_400, 86_400],
      [() => new Date(Date.now() + 4_000_000).toUTCString(), 3_998, 4_000],
      [() => 'soon', 7_200, 8_640],
      [() => '1', 18_000, 21_600],
    ];
    for (const [index, [retryAfter, seconds, most]] of asked.entries()) {
      webhooks.receiver.respond = (...arrived) =>
        respondWith(429, { 'retry-after': retryAfter() })(...arrived);
      if (index === 0) await webhooks.cause();
      else await webhooks.makeDue();
      const [delivery = {}] = await webhooks.untilDeliveries([{ attempts: index + 1, response_status: 429 }]);
      expect(Math.round(retryDelayOf(delivery))).toBeGreaterThanOrEqual(seconds);
      expect(Math.round(retryDelayOf(delivery))).toBeLessThanOrEqual(most);
    }
  });
});

test('recording an attempt while its webhook is deactivated does not deadlock', async () => {
  const { id } = await webhooks.create();
  webhooks.receiver.respond = respondWith(500);
  await withClient(webhooks.service.databaseUrl, async (client) => {
    // Same order as the operation: the webhook first, then its deliveries.
    await client.query('begin');
    await client.query('update webhooks set is_active = 0 where id = $1', [id]);
    await webhooks.cause();
    await untilBlocked(webhooks);
    // The blocked transaction waits for the webhook and holds no deliveries.
    await client.query('select from webhook_deliveries where webhook_id = $1 for update nowait', [id]);
    await client.query('commit');
  });
  await webhooks.untilDeliveries([{ attempts: 1, response_status: 500 }]);
});

describe('a pending delivery', () => {
  test.each([
    [
      'deactivated',
      'The webhook was deactivated.',
      (id: number) => webhooks.api.put('/webhooks', { id, is_active: 0 }),
    ],
    ['deleted', 'The webhook was deleted.', (id: number) => webhooks.api.delete(`/webhooks?id=${id}`)],
  ])('is given up when the webhook is %s, and stays in the log', async (_what, error, end) => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(500);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    await end(id);
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'failed', error, next_attempt_at: null }]);
    await webhooks.sql('select wake_webhooks(array[$1::bigint])', [id]);
    const woken = () => webhooks.sql('select from graphile_worker.jobs where key = $1', [`webhook:${id}`]);
    await expect.poll(woken).toEqual([]);
    expect(webhooks.receiver.arrivals).toHaveLength(1);
  });

  test('is given up if its webhook was deactivated at the same moment', async () => {
    const { id } = await webhooks.create();
    await webhooks.sql(`update webhooks set is_active = 0`);
    await webhooks.sql(
      `insert into webhook_deliveries (webhook_id, message_id, type, payload) values ($1, 'evt_1', 'issue.created', '{}')`,
      [id],
    );
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ status: 'failed', attempts: 0, error: 'The webhook is inactive.' }]);
  });
});
