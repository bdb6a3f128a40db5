import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { readEventStream } from '../../src/contract/client/follow.ts';
import { eventOrGapSchema } from '../../src/contract/events/envelope.ts';
import { type Arrival, webhooksHere } from '../support/receivers.ts';

const webhooks = webhooksHere();

describe('a message', () => {
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

describe('which events are sent', () => {
  /** Returns the events after an id, as the bytes of the stream. Ends with the event of that type. */
  async function streamedAfter(after: number, last: string): Promise<string[]> {
    const stopping = new AbortController();
    const { client } = webhooks.superadmin;
    const { body } = await client.request('events.follow', { after }, stopping.signal);
    const events: string[] = [];
    for await (const { data } of readEventStream(body as ReadableStream<Uint8Array>, 10_000)) {
      if (data === undefined) continue;
      const { type } = JSON.parse(data);
      // The events of earlier tests are deleted.
      if (type !== 'gap') events.push(data);
      if (type === last) break;
    }
    stopping.abort();
    return events;
  }

  /** Causes events with and without a subject, with long and strange texts, and of deleted rows. */
  async function causeEvents(): Promise<void> {
    const { client } = webhooks.superadmin;
    const { id } = await client.call('issues.create', {
      title: `"Ünïcode" \\ 🙂 </script>\u2028${'x'.repeat(300)}`,
    });
    await client.call('issues.changeStatus', { id, status: 'Resolved' });
    const { conversation } = await client.call('conversations.create', {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada',
      initial_message: 'Hello',
    });
    await client.call('links.create', { issue_id: id, conversation_id: conversation.id });
    await client.call('conversations.delete', { id: conversation.id });
    await client.call('settings.update', { key: 'site_name', value: 'Example' });
    const usage = { record_id: crypto.randomUUID(), model: 'm', input_tokens: 1, output_tokens: 1 };
    await client.call('tokenUsage.record', { records: [usage] });
    await client.call('settings.delete', { key: 'site_name' });
  }

  test('a webhook receives the very bytes that the stream sends, which match the schemas of the events', async () => {
    await webhooks.create({ events: [] });
    await causeEvents();
    const streamed = await streamedAfter(0, 'setting.deleted');
    expect(streamed.length).toBeGreaterThan(8);
    for (const text of streamed) {
      const event = JSON.parse(text);
      expect(Object.keys(event)).toEqual(['id', 'type', 'created_at', 'actor', 'subject_id', 'data']);
      expect(eventOrGapSchema.parse(event)).toEqual(event);
    }
    await webhooks.receiver.until(streamed.length);
    expect(webhooks.receiver.arrivals.map(({ body }) => body)).toEqual(
      streamed.map((event) => {
        const { type, created_at } = JSON.parse(event);
        return `{"type" : "${type}", "timestamp" : "${created_at}", "data" : ${event}}`;
      }),
    );
  });

  test('a replay of an event that was never sent has the bytes of the stream too', async () => {
    await causeEvents();
    const { id } = await webhooks.create({ events: ['issue.updated'] });
    const since = '2000-01-01T00:00:00Z';
    await webhooks.superadmin.client.call('webhooks.replay', { webhook_id: id, since });
    await webhooks.receiver.until(1);
    const streamed = await streamedAfter(0, 'setting.deleted');
    const updated = streamed.find((event) => JSON.parse(event).type === 'issue.updated');
    expect(webhooks.receiver.arrivals[0]?.body).toContain(`"data" : ${updated}}`);
  });
});
