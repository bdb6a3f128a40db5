import { afterEach, describe, expect, test } from 'vitest';
import { createWebhookSender } from '../../src/services/webhooks/sender.ts';
import { untilBlocked } from '../support/database/blocked.ts';
import { withClient } from '../support/http/admin-client.ts';
import { startReceiver, withStatus } from '../support/http/receiver.ts';
import { webhooksOfThisFile } from '../support/http/webhooks.ts';

const patient = createWebhookSender({ allowPrivate: true });
let sender = patient;

const webhooks = webhooksOfThisFile({
  webhookSender: {
    refuses: (url) => sender.refuses(url),
    send: (message, signal) => sender.send(message, signal),
  },
});

afterEach(() => {
  sender = patient;
});

/** Seconds from the last attempt of a delivery to the next. */
const pauseOf = ({ last_attempt_at, next_attempt_at }: Record<string, unknown>) =>
  (Date.parse(String(next_attempt_at)) - Date.parse(String(last_attempt_at))) / 1000;

const webhookOf = async (id: number) =>
  (await webhooks.superadmin.client.call('webhooks.list')).webhooks.find((webhook) => webhook.id === id);

describe('a message that is not taken', () => {
  test('is sent again after growing pauses, under the same id and in the same bytes, and then given up', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.answer = withStatus(500);
    const message_id = await webhooks.cause();
    const pauses: number[] = [];
    for (let attempts = 1; attempts < 8; attempts++) {
      const [delivery = {}] = await webhooks.untilDeliveries([
        {
          message_id,
          attempts,
          status: 'pending',
          response_status: 500,
          error: 'The receiver answered 500.',
        },
      ]);
      pauses.push(pauseOf(delivery));
      await webhooks.hurry();
    }
    await webhooks.untilDeliveries([{ message_id, attempts: 8, status: 'failed', next_attempt_at: null }]);
    for (const [index, least] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(least);
      expect(pauses[index]).toBeLessThanOrEqual(least * 1.2 + 1);
    }
    expect(new Set(webhooks.receiver.arrivals.map((arrival) => `${arrival.id} ${arrival.body}`)).size).toBe(
      1,
    );
    expect(webhooks.receiver.arrivals).toHaveLength(8);
    // It has been failing for a moment only, so it stays on.
    expect(await webhookOf(id)).toMatchObject({ is_active: 1, failing_since: expect.any(String) });
  });

  test('is taken later, and the webhook is well again', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.answer = withStatus(503);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    expect(await webhookOf(id)).toMatchObject({ failing_since: expect.any(String) });
    webhooks.receiver.answer = withStatus(200);
    await webhooks.hurry();
    await webhooks.untilDeliveries([{ status: 'succeeded', attempts: 2, response_status: 200, error: null }]);
    expect(await webhookOf(id)).toMatchObject({ failing_since: null });
  });

  test('is sent again by itself when its time comes', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.answer = withStatus(500);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    const job = `from graphile_worker.jobs where key = 'webhook:${id}:later' and locked_at is null`;
    const due = () =>
      webhooks.sql(`select run_at = (select next_attempt_at from webhook_deliveries) as due ${job}`);
    await expect.poll(due).toEqual([{ due: true }]);
    webhooks.receiver.answer = withStatus(204);
    // As if the time had come.
    await webhooks.sql(`update webhook_deliveries set next_attempt_at = now()`);
    await webhooks.sql(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) ${job}`);
    await webhooks.untilDeliveries([{ status: 'succeeded', attempts: 2 }]);
  });

  test('waits for as long as the receiver asks to, and no longer than a day', async () => {
    await webhooks.create();
    webhooks.receiver.answer = withStatus(429, { 'retry-after': '1000' });
    await webhooks.cause();
    const [polite = {}] = await webhooks.untilDeliveries([{ attempts: 1, response_status: 429 }]);
    expect(Math.round(pauseOf(polite))).toBe(1000);
    webhooks.receiver.answer = withStatus(429, { 'retry-after': '99999999' });
    await webhooks.hurry();
    const [rude = {}] = await webhooks.untilDeliveries([{ attempts: 2 }]);
    expect(Math.round(pauseOf(rude))).toBe(86_400);
  });
});

describe('a receiver that', () => {
  test('redirects has failed, and nothing is sent to where it points', async () => {
    const elsewhere = await startReceiver();
    await webhooks.create();
    webhooks.receiver.answer = withStatus(307, { location: elsewhere.url });
    await webhooks.cause();
    await webhooks.untilDeliveries([
      {
        status: 'pending',
        response_status: 307,
        error: 'The receiver answered 307. Redirects are not followed.',
      },
    ]);
    expect(elsewhere.arrivals).toEqual([]);
    await elsewhere.close();
  });

  test('is gone switches its webhook off, and nothing more is sent', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.answer = withStatus(410);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'failed', attempts: 1, response_status: 410 }]);
    expect(await webhookOf(id)).toMatchObject({ is_active: 0 });
    await webhooks.cause();
    expect(await webhooks.deliveries()).toHaveLength(1);
    const { audit } = await webhooks.superadmin.client.call('audit.list', {
      event: 'webhook.updated',
      limit: 1,
    });
    expect(audit[0]).toMatchObject({
      subject_id: String(id),
      actor_kind: 'service',
      actor_name: 'backoffice',
      door: 'job',
      operation: 'webhooks.deliver',
      before: { is_active: 1 },
      after: { is_active: 0, reason: expect.stringContaining('410') },
    });
  });

  test('has failed for days switches its webhook off when a message is given up', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.answer = withStatus(500);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ attempts: 1 }]);
    await webhooks.cause();
    // The first may be sent again by then.
    await webhooks.untilDeliveries([{}, { attempts: 1 }]);
    await webhooks.sql(`update webhooks set failing_since = now() - interval '5 days'`);
    await webhooks.sql(
      `update webhook_deliveries set attempts = 7 where id = (select min(id) from webhook_deliveries)`,
    );
    await webhooks.hurry();
    await webhooks.untilDeliveries([
      { attempts: 8, status: 'failed', error: 'The receiver answered 500.' },
      { status: 'failed', error: 'The webhook was deactivated: no delivery succeeded for 5 days.' },
    ]);
    expect(await webhookOf(id)).toMatchObject({ is_active: 0 });
  });

  test('does not answer has failed in time', async () => {
    sender = createWebhookSender({ allowPrivate: true, timeoutMs: 500 });
    webhooks.receiver.answer = () => {};
    await webhooks.create();
    await webhooks.cause();
    await webhooks.untilDeliveries([
      { attempts: 1, error: 'No response within 0.5 seconds.', response_status: null },
    ]);
  });

  test('does not answer holds up no other', async () => {
    const other = await startReceiver();
    webhooks.receiver.answer = () => {};
    await webhooks.create();
    await webhooks.create({ url: other.url });
    for (let number = 0; number < 3; number++) await webhooks.cause();
    await other.until(3);
    // Each of its three would have been waited for.
    expect(webhooks.receiver.arrivals.length).toBeLessThan(3);
    await other.close();
  });

  test.each([
    ['never ends its body', true],
    ['keeps its body back', false],
  ])('%s counts by its status, and is read in part only', async (_what, goesOn) => {
    await webhooks.create();
    let left = false;
    webhooks.receiver.answer = (response) => {
      const writing = goesOn ? setInterval(() => response.write('x'.repeat(100)), 5) : undefined;
      response.on('close', () => {
        clearInterval(writing);
        left = true;
      });
      response.writeHead(200);
      response.write('beginning');
    };
    await webhooks.cause();
    const [delivery] = await webhooks.untilDeliveries([{ status: 'succeeded', response_status: 200 }]);
    expect(delivery?.response_body).toMatch(/^beginningx*$/);
    expect(delivery?.response_body?.length).toBeLessThanOrEqual(1_024);
    await expect.poll(() => left).toBe(true);
  });

  test('hangs up, speaks no HTTP or sends what no text has, is noted as what it is', async () => {
    await webhooks.create();
    webhooks.receiver.answer = (response) => response.socket?.destroy();
    await webhooks.cause();
    await webhooks.untilDeliveries([{ attempts: 1, error: 'Connection closed by the receiver.' }]);
    webhooks.receiver.answer = (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');
    await webhooks.hurry();
    await webhooks.untilDeliveries([{ attempts: 2, error: 'The response is not valid HTTP.' }]);
    webhooks.receiver.answer = (response) => response.end(Buffer.from([0, 0xff, 65]));
    await webhooks.hurry();
    await webhooks.untilDeliveries([{ attempts: 3, status: 'succeeded', response_body: '\uFFFD\uFFFDA' }]);
  });

  test('is not there is noted as that', async () => {
    const gone = await startReceiver();
    await gone.close();
    await webhooks.create({ url: gone.url });
    await webhooks.create({ url: 'http://backoffice.invalid/' });
    await webhooks.cause();
    await webhooks.untilDeliveries([
      { error: 'Connection refused.' },
      { error: expect.stringMatching(/^(Host not found|DNS lookup failed)\.$/) },
    ]);
  });
});

test('an attempt that is recorded while its webhook is switched off is no deadlock', async () => {
  const { id } = await webhooks.create();
  webhooks.receiver.answer = withStatus(500);
  await withClient(webhooks.service.databaseUrl, async (client) => {
    // As the operation does it: the webhook, and then its deliveries.
    await client.query('begin');
    await client.query('update webhooks set is_active = 0 where id = $1', [id]);
    await webhooks.cause();
    await untilBlocked(webhooks);
    // The record, which waits for the webhook, holds none of them.
    await client.query('select from webhook_deliveries where webhook_id = $1 for update nowait', [id]);
    await client.query('commit');
  });
  await webhooks.untilDeliveries([{ attempts: 1, response_status: 500 }]);
});

describe('what waits to be sent', () => {
  test.each([
    [
      'switched off',
      'The webhook was switched off.',
      (id: number) => webhooks.ask.put('/webhooks', { id, is_active: 0 }),
    ],
    ['deleted', 'The webhook was deleted.', (id: number) => webhooks.ask.delete(`/webhooks?id=${id}`)],
  ])('is given up when the webhook is %s, and stays in the log', async (_what, error, end) => {
    const { id } = await webhooks.create();
    webhooks.receiver.answer = withStatus(500);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    await end(id);
    expect(await webhooks.deliveries()).toMatchObject([{ status: 'failed', error, next_attempt_at: null }]);
    await webhooks.sql('select wake_webhooks(array[$1::bigint])', [id]);
    const woken = () => webhooks.sql('select from graphile_worker.jobs where key = $1', [`webhook:${id}`]);
    await expect.poll(woken).toEqual([]);
    expect(webhooks.receiver.arrivals).toHaveLength(1);
  });

  test('is given up where its webhook went away in the same moment', async () => {
    const { id } = await webhooks.create();
    await webhooks.sql(`update webhooks set is_active = 0`);
    await webhooks.sql(
      `insert into webhook_deliveries (webhook_id, message_id, type, payload) values ($1, 'evt_1', 'issue.created', '{}')`,
      [id],
    );
    await webhooks.hurry();
    await webhooks.untilDeliveries([{ status: 'failed', attempts: 0, error: 'The webhook is inactive.' }]);
  });
});
