import { afterEach, describe, expect, test } from 'vitest';
import { createWebhookSender } from '../../src/services/webhooks/sender.ts';
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

  test('answers 410 deactivates its webhook, and nothing more is sent', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(410);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'failed', attempts: 1, response_status: 410 }]);
    expect(await webhooks.find(id)).toMatchObject({ is_active: 0 });
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
    await webhooks.untilDeliveries([
      { attempts: 1, error: 'No response within 0.5 seconds.', response_status: null },
    ]);
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

  test.each([
    ['never ends its body', true],
    ['stops in the middle of its body', false],
  ])('%s counts by its status, and only the start of the body is read', async (_what, goesOn) => {
    await webhooks.create();
    let closed = false;
    webhooks.receiver.respond = (response) => {
      const writing = goesOn ? setInterval(() => response.write('x'.repeat(100)), 5) : undefined;
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

  test('closes the connection, does not speak HTTP or sends invalid text is logged as such', async () => {
    await webhooks.create();
    webhooks.receiver.respond = (response) => response.socket?.destroy();
    await webhooks.cause();
    await webhooks.untilDeliveries([{ attempts: 1, error: 'Connection closed by the receiver.' }]);
    webhooks.receiver.respond = (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n');
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ attempts: 2, error: 'The response is not valid HTTP.' }]);
    webhooks.receiver.respond = (response) => response.end(Buffer.from([0, 0xff, 65]));
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ attempts: 3, status: 'succeeded', response_body: '\uFFFD\uFFFDA' }]);
  });

  test('does not exist is logged as such', async () => {
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
