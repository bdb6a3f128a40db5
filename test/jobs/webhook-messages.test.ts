import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { type Arrival, webhooksHere } from '../support/receivers.ts';

const webhooks = webhooksHere();

/** Computes the signature by the specification, without a library. */
function signatureOf(secret: string, { headers, body }: Arrival): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** Returns the only message that has arrived. */
async function arrival(): Promise<Arrival> {
  await webhooks.receiver.until(1);
  expect(webhooks.receiver.arrivals).toHaveLength(1);
  return webhooks.receiver.arrivals[0] as Arrival;
}

describe('a message', () => {
  test('says what happened, to what, and who did it', async () => {
    await webhooks.create();
    const id = await webhooks.cause('Checkout does nothing');
    const { headers, body } = await arrival();
    expect(headers).toMatchObject({
      'webhook-id': id,
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Backoffice\/\d/),
    });
    expect(JSON.parse(body)).toEqual({
      type: 'issue.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        id: Number(id.replace('evt_', '')),
        type: 'issue.created',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: webhooks.superadmin.email,
        subject_id: expect.stringMatching(/^\d+$/),
        data: { title: 'Checkout does nothing', category: 'Other', severity: 'Low', status: 'Open' },
      },
    });
  });

  test('is signed after Standard Webhooks with the secret of the webhook', async () => {
    const { secret } = await webhooks.create();
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    await webhooks.cause();
    const message = await arrival();
    const verified = new Webhook(secret).verify(message.body, message.headers as Record<string, string>);
    expect(verified).toEqual(JSON.parse(message.body));
    expect(message.headers['webhook-signature']).toBe(signatureOf(secret, message));
    expect(Math.abs(Date.now() / 1000 - Number(message.headers['webhook-timestamp']))).toBeLessThan(10);
  });

  test('is also signed with the former secret after a rotation', async () => {
    const { id, secret } = await webhooks.create();
    const { secret: fresh = '' } = await webhooks.superadmin.client.call('webhooks.update', {
      id,
      rotate_secret: true,
    });
    expect(fresh).not.toBe(secret);
    await webhooks.cause();
    await webhooks.receiver.until(1);
    for (const message of webhooks.receiver.arrivals) {
      const signatures = [fresh, secret].map((each) => signatureOf(each, message));
      expect(message.headers['webhook-signature']).toBe(signatures.join(' '));
      for (const each of [secret, fresh])
        new Webhook(each).verify(message.body, message.headers as Record<string, string>);
    }

    await webhooks.sql(`update webhooks set former_secret_expires_at = now()`);
    await webhooks.cause();
    await webhooks.receiver.until(2);
    const last = webhooks.receiver.arrivals.at(-1) as Arrival;
    expect(last.headers['webhook-signature']).toBe(signatureOf(fresh, last));
  });

  test('goes to each subscribed webhook as one delivery', async () => {
    const all = await webhooks.create({ events: [] });
    const subscribed = await webhooks.create({ events: ['admin.created', 'issue.created'] });
    await webhooks.create({ events: ['issue.updated'] });
    const inactive = await webhooks.create({ events: [] });
    await webhooks.superadmin.client.call('webhooks.update', { id: inactive.id, is_active: 0 });
    await webhooks.sql('delete from webhook_deliveries');
    const message_id = await webhooks.cause();
    await webhooks.untilDeliveries([
      { webhook_id: all.id, message_id, status: 'succeeded', attempts: 1 },
      { webhook_id: subscribed.id, message_id, status: 'succeeded', attempts: 1 },
    ]);
  });

  test('arrives once, in the order of the events', async () => {
    await webhooks.create();
    const ids: string[] = [];
    for (let number = 0; number < 100; number++) ids.push(await webhooks.cause());
    await webhooks.receiver.until(100);
    expect(webhooks.receiver.arrivals.map(({ id }) => id)).toEqual(ids);
    const log = await webhooks.untilDeliveries(
      ids.map((message_id) => ({ message_id, status: 'succeeded' })),
    );
    expect(log.every(({ attempts }) => attempts === 1)).toBe(true);
  });
});
