import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { readEventStream } from '../../src/contract/client/follow.ts';
import { eventOrGapSchema, eventSchemas } from '../../src/contract/events/envelope.ts';
import type { InputOf } from '../../src/contract/registry.ts';
import { timestampPattern } from '../support/here/requests.ts';
import { type Arrival, respondWith, webhooksHere } from '../support/receivers.ts';

const webhooks = webhooksHere();

const replay = async (input: InputOf<'webhooks.replay'>) =>
  (await webhooks.call('webhooks.replay', input)).replayed;

const ids = () => webhooks.receiver.arrivals.map(({ id }) => id);

/** Returns the time of the database as a bound for a replay: events before the call are earlier, events after it later. */
async function now(): Promise<string> {
  const [row] = await webhooks.sql<{ now: Date }>('select clock_timestamp() as now, pg_sleep(0.002)');
  return new Date((row?.now.getTime() ?? 0) + 1).toISOString();
}

const before = '2026-01-01';

/** Returns what the last replay was recorded as. */
async function recorded() {
  const [record] = await webhooks.sql(
    `select subject_id, after from audit_records where event = 'webhook.replayed' order by id desc limit 1`,
  );
  return record;
}

/** Returns what a message says if the public library accepts its signature. */
const verified = (secret: string, { body, headers }: Arrival) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

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

  test('says what happened, to what, and who did it, and is signed after Standard Webhooks', async () => {
    const { secret } = await webhooks.create();
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    const id = await webhooks.cause('Checkout does nothing');
    const message = await arrival();
    const { headers } = message;
    expect(headers).toMatchObject({
      'webhook-id': id,
      'webhook-signature': signatureOf(secret, message),
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Backoffice\/\d/),
    });
    expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(10);
    expect(verified(secret, message)).toEqual({
      type: 'issue.created',
      timestamp: expect.stringMatching(timestampPattern),
      data: {
        id: Number(id.replace('evt_', '')),
        type: 'issue.created',
        created_at: expect.stringMatching(timestampPattern),
        actor: webhooks.superadmin.email,
        subject_id: expect.stringMatching(/^\d+$/),
        data: { title: 'Checkout does nothing', category: 'Other', severity: 'Low', status: 'Open' },
      },
    });
  });

  test('has the texts if its webhook asks for them, as they are when it is sent, and no log has them', async () => {
    const { id } = await webhooks.create({
      events: ['message.created', 'issue.created'],
      include_content: true,
    });
    await webhooks.create({ events: ['message.created'] });
    webhooks.receiver.respond = (response, { body }) => response.end(body);
    const { call } = webhooks.superadmin.client;
    const { conversation } = await call('conversations.create', {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada',
      initial_message: 'Could you send it again?',
    });
    const title = 'x'.repeat(300);
    await call('issues.create', { title, description: 'Nothing happens.' });
    await webhooks.receiver.until(3);
    const dataOf = ({ body }: Arrival) => JSON.parse(body).data.data;
    const texts = webhooks.receiver.arrivals.map(dataOf);
    const plain = { conversation_id: conversation.id, sender_type: 'visitor', status: 'sent' };
    expect(texts).toHaveLength(3);
    expect(texts).toEqual(
      expect.arrayContaining([
        plain,
        { ...plain, content: 'Could you send it again?' },
        expect.objectContaining({ title, description: 'Nothing happens.', category: 'Other' }),
      ]),
    );
    const log = async () =>
      (await call('webhooks.deliveries', { webhook_id: id, status: 'succeeded' })).deliveries;
    await expect.poll(async () => (await log()).length).toBe(2);
    expect(JSON.stringify(await log())).not.toMatch(/again|Nothing happens/);

    // What is deleted is no longer sent.
    await call('conversations.delete', { id: conversation.id });
    const first = (await log()).find(({ type }) => type === 'message.created');
    expect(await replay({ delivery_id: first?.id })).toBe(1);
    await webhooks.receiver.until(4);
    expect(dataOf(webhooks.receiver.arrivals[3] as Arrival)).toEqual(plain);
    const { webhooks: listed } = await call('webhooks.list');
    expect(listed.map((webhook) => webhook.include_content)).toEqual([true, undefined]);
  });

  test('is also signed with the former secret after a rotation', async () => {
    const { id, secret } = await webhooks.create();
    const { secret: fresh = '' } = await webhooks.call('webhooks.update', { id, rotate_secret: true });
    expect(fresh).not.toBe(secret);
    await webhooks.cause();
    const message = await arrival();
    const signatures = [fresh, secret].map((each) => signatureOf(each, message));
    expect(message.headers['webhook-signature']).toBe(signatures.join(' '));
    for (const each of [secret, fresh]) verified(each, message);

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
    await webhooks.call('webhooks.update', { id: inactive.id, is_active: 0 });
    await webhooks.sql('delete from webhook_deliveries');
    const message_id = await webhooks.cause();
    const [first, second] = await webhooks.untilDeliveries([
      { webhook_id: all.id, message_id, status: 'succeeded', attempts: 1 },
      { webhook_id: subscribed.id, message_id, status: 'succeeded', attempts: 1 },
    ]);
    // The log is filtered by webhook, id and status.
    const list = async (filter: InputOf<'webhooks.deliveries'>) =>
      (await webhooks.call('webhooks.deliveries', filter)).deliveries;
    expect(await list({ webhook_id: all.id })).toEqual([first]);
    expect(await list({ id: second?.id })).toEqual([second]);
    expect(await list({ status: 'failed' })).toEqual([]);
  });

  test('arrives once, in the order of the events', async () => {
    await webhooks.create();
    const caused: string[] = [];
    for (let number = 0; number < 50; number++) caused.push(await webhooks.cause());
    await webhooks.untilDeliveries(caused.map((message_id) => ({ message_id, status: 'succeeded' })));
    expect(ids()).toEqual(caused);
  });
});

describe('which events are sent', () => {
  /** Returns all events as the bytes of the stream, up to the one of that type. */
  async function streamedUntil(last: string): Promise<string[]> {
    const stopping = new AbortController();
    const { client } = webhooks.superadmin;
    const { body } = await client.request('events.follow', { after: 0 }, stopping.signal);
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

  test('a webhook receives the very bytes that the stream sends, also of a replayed event', async () => {
    const { call, create, receiver } = webhooks;
    await create({ events: [] });
    // Events with and without a subject, with long and strange texts, and of a deleted row.
    const title = `"Ünïcode" \\ 🙂 </script>\u2028${'x'.repeat(300)}`;
    const { id } = await call('issues.create', { title });
    await call('issues.changeStatus', { id, status: 'Resolved' });
    const usage = { record_id: crypto.randomUUID(), model: 'm', input_tokens: 1, output_tokens: 1 };
    await call('tokenUsage.record', { records: [usage] });
    await call('settings.update', { key: 'site_name', value: 'Example' });
    await call('settings.delete', { key: 'site_name' });

    const streamed = await streamedUntil('setting.deleted');
    expect(streamed.length).toBeGreaterThan(5);
    const messages = streamed.map((text) => {
      const event = JSON.parse(text);
      expect(Object.keys(event)).toEqual(['id', 'type', 'created_at', 'actor', 'subject_id', 'data']);
      expect(eventOrGapSchema.parse(event)).toEqual(event);
      return `{"type" : "${event.type}", "timestamp" : "${event.created_at}", "data" : ${text}}`;
    });
    await receiver.until(streamed.length);
    expect(receiver.arrivals.map(({ body }) => body)).toEqual(messages);

    // This webhook has received nothing yet.
    const later = await create({ events: ['issue.updated'] });
    expect(await replay({ webhook_id: later.id, since: before })).toBe(1);
    const updated = messages.find((message) => message.includes('"issue.updated"'));
    await expect.poll(() => receiver.arrivals.filter(({ body }) => body === updated)).toHaveLength(2);
  });
});

describe('a replay', () => {
  test('of one delivery sends the same bytes and id again, as a new delivery', async () => {
    const { id } = await webhooks.create();
    const message_id = await webhooks.cause();
    const [first] = await webhooks.untilDeliveries([{ status: 'succeeded' }]);
    // A replay must not need the event, which may be deleted.
    await webhooks.sql('delete from events');
    expect(await replay({ delivery_id: first?.id ?? 0 })).toBe(1);
    await webhooks.receiver.until(2);
    const [one, other] = webhooks.receiver.arrivals;
    expect([other?.id, other?.body]).toEqual([message_id, one?.body]);
    await webhooks.untilDeliveries([
      { id: first?.id, status: 'succeeded', replay_of: null },
      { webhook_id: id, message_id, status: 'succeeded', replay_of: first?.id },
    ]);
    expect(await recorded()).toEqual({
      subject_id: String(id),
      after: { delivery_id: first?.id, messages: 1 },
    });
  });

  test('since a time sends the messages created since, in order', async () => {
    const { id } = await webhooks.create();
    await webhooks.cause();
    await webhooks.receiver.until(1);
    const since = await now();
    const wanted: string[] = [];
    for (let number = 0; number < 5; number++) wanted.push(await webhooks.cause());
    await webhooks.untilDeliveries(Array(6).fill({ status: 'succeeded' }));
    expect(await replay({ webhook_id: id, since })).toBe(5);
    await webhooks.receiver.until(11);
    expect(ids().slice(6)).toEqual(wanted);
    expect(await replay({ webhook_id: id, since: before, until: since })).toBe(1);
    // A message that was sent three times counts once.
    await webhooks.untilDeliveries(Array(12).fill({ status: 'succeeded' }));
    expect(await replay({ webhook_id: id, since: before })).toBe(6);
    await webhooks.receiver.until(18);
    expect(await recorded()).toMatchObject({
      subject_id: String(id),
      after: { since: '2026-01-01T00:00:00.000Z', messages: 6 },
    });
  });

  test('skips pending messages, tests, and of failed ones those that have succeeded since', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(500);
    const lost = await webhooks.cause();
    const [pending] = await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    expect(await replay({ webhook_id: id, since: before })).toBe(0);
    expect(await replay({ delivery_id: pending?.id ?? 0 })).toBe(0);
    await webhooks.sql(`update webhook_deliveries set attempts = 7`);
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ status: 'failed' }]);
    webhooks.receiver.respond = respondWith(204);
    await webhooks.cause();
    const log = [{ status: 'failed' }, { status: 'succeeded' }];
    await webhooks.untilDeliveries(log);
    expect(await replay({ webhook_id: id, since: before, status: 'failed' })).toBe(1);
    await webhooks.untilDeliveries([...log, { status: 'succeeded', message_id: lost }]);
    webhooks.receiver.respond = respondWith(500);
    await webhooks.call('webhooks.test', { id });
    expect(await replay({ webhook_id: id, since: before, status: 'failed' })).toBe(0);
  });

  test('sends events from before the webhook existed and while it was inactive', async () => {
    const since = await now();
    const early = await webhooks.cause('Before it existed');
    const { id } = await webhooks.create();
    await webhooks.call('webhooks.update', { id, is_active: 0 });
    const whileInactive = await webhooks.cause('While it was inactive');
    const refused = { status: 409, message: 'The webhook is inactive. Activate it first.' };
    await expect(replay({ webhook_id: id, since })).rejects.toMatchObject(refused);
    await webhooks.call('webhooks.update', { id, is_active: 1 });
    const late = await webhooks.cause('When it was active again');
    await webhooks.untilDeliveries([{ status: 'succeeded' }]);
    expect(await replay({ webhook_id: id, since, status: 'failed' })).toBe(0);
    expect(await replay({ webhook_id: id, since })).toBe(3);
    await webhooks.receiver.until(4);
    expect(ids()).toEqual([late, early, whileInactive, late]);
    expect(webhooks.receiver.arrivals[1]?.body).toContain('"Before it existed"');
  });

  test('is refused for too many messages', async () => {
    const { id } = await webhooks.create();
    await webhooks.sql(
      `insert into webhook_deliveries (webhook_id, message_id, type, payload, status)
       select $1, 'evt_x' || number, 'issue.created', '{}', 'succeeded' from generate_series(1, 10001) as number`,
      [id],
    );
    await expect(replay({ webhook_id: id, since: before })).rejects.toMatchObject({
      status: 400,
      message: 'More than 10,000 messages match. Choose a shorter period with since and until.',
    });
  });
});

describe('a test message', () => {
  test('sends one signed message at once, and returns and logs the response', async () => {
    const { id, secret } = await webhooks.create({ events: [] });
    await webhooks.untilDeliveries([{ type: 'webhook.created', status: 'succeeded' }]);
    webhooks.receiver.respond = (response) => response.writeHead(202).end('thank you');
    const { delivery } = await webhooks.call('webhooks.test', { id });
    expect(delivery).toMatchObject({
      webhook_id: id,
      message_id: expect.stringMatching(/^test_/),
      type: 'webhook.tested',
      status: 'succeeded',
      response_status: 202,
      response_body: 'thank you',
      next_attempt_at: null,
    });
    const message = verified(secret, webhooks.receiver.arrivals.at(-1) as Arrival);
    expect(message).toEqual(delivery?.payload);
    const { data } = message as { data: unknown };
    const { email: actor } = webhooks.superadmin;
    const event = { id: 0, actor, subject_id: String(id), data: {} };
    expect(eventSchemas['webhook.tested'].parse(data)).toMatchObject(event);
    // It is not sent as an event.
    await webhooks.untilDeliveries([{ type: 'webhook.created' }, { id: delivery?.id }]);
    expect(webhooks.receiver.arrivals).toHaveLength(2);
    const [record] = await webhooks.sql(
      `select after from audit_records where event = 'webhook.tested' order by id desc limit 1`,
    );
    expect(record).toEqual({ after: { status: 'succeeded', response_status: 202 } });
  });

  test('that fails is not repeated and does not change the webhook, which may be inactive', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(410);
    const { delivery } = await webhooks.call('webhooks.test', { id });
    const failed = { status: 'failed', error: 'The receiver answered 410.', next_attempt_at: null };
    expect(delivery).toMatchObject(failed);
    expect(await webhooks.find(id)).toMatchObject({ is_active: 1, failing_since: null });
    await webhooks.call('webhooks.update', { id, is_active: 0 });
    expect((await webhooks.call('webhooks.test', { id })).delivery).toMatchObject(failed);
  });
});
