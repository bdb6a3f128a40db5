import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { eventSchemas } from '../../src/contract/events/envelope.ts';
import type { InputOf } from '../../src/contract/registry.ts';
import { errorResponse } from '../support/here/requests.ts';
import { respondWith, webhooksHere } from '../support/receivers.ts';

const webhooks = webhooksHere();
const call = (input: InputOf<'webhooks.replay'>) =>
  webhooks.superadmin.client.call('webhooks.replay', input).then(({ replayed }) => replayed);

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

describe('a replay', () => {
  test('of one delivery sends the same bytes and id again, as a new delivery', async () => {
    const { id } = await webhooks.create();
    const message_id = await webhooks.cause();
    const [first] = await webhooks.untilDeliveries([{ status: 'succeeded' }]);
    // A replay must not need the event, which may be deleted.
    await webhooks.sql('delete from events');
    expect(await call({ delivery_id: first?.id ?? 0 })).toBe(1);
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
    expect(await call({ webhook_id: id, since })).toBe(5);
    await webhooks.receiver.until(11);
    expect(ids().slice(6)).toEqual(wanted);
    expect(await call({ webhook_id: id, since: before, until: since })).toBe(1);
    // A message that was sent three times counts once.
    await webhooks.untilDeliveries(Array(12).fill({ status: 'succeeded' }));
    expect(await call({ webhook_id: id, since: before })).toBe(6);
    await webhooks.receiver.until(18);
    expect(await recorded()).toMatchObject({
      subject_id: String(id),
      after: { since: '2026-01-01T00:00:00.000Z', messages: 6 },
    });
  });

  test('of failed messages skips those that have succeeded since', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(500);
    const lost = await webhooks.cause();
    await webhooks.untilDeliveries([{ attempts: 1 }]);
    await webhooks.sql(`update webhook_deliveries set attempts = 7`);
    await webhooks.makeDue();
    await webhooks.untilDeliveries([{ status: 'failed' }]);
    webhooks.receiver.respond = respondWith(204);
    await webhooks.cause();
    await webhooks.untilDeliveries([{ status: 'failed' }, { status: 'succeeded' }]);
    expect(await call({ webhook_id: id, since: before, status: 'failed' })).toBe(1);
    await webhooks.untilDeliveries([
      { status: 'failed' },
      { status: 'succeeded' },
      { status: 'succeeded', message_id: lost },
    ]);
    expect(await call({ webhook_id: id, since: before, status: 'failed' })).toBe(0);
  });

  test('sends events from before the webhook existed and while it was inactive', async () => {
    const since = await now();
    const early = await webhooks.cause('Before it existed');
    const { id } = await webhooks.create();
    await webhooks.api.put('/webhooks', { id, is_active: 0 });
    const whileInactive = await webhooks.cause('While it was inactive');
    await webhooks.api.put('/webhooks', { id, is_active: 1 });
    const late = await webhooks.cause('When it was active again');
    await webhooks.receiver.until(1);
    await webhooks.untilDeliveries([{ status: 'succeeded' }]);
    expect(await call({ webhook_id: id, since, status: 'failed' })).toBe(0);
    expect(await call({ webhook_id: id, since })).toBe(3);
    await webhooks.receiver.until(4);
    expect(ids()).toEqual([late, early, whileInactive, late]);
    expect(JSON.parse(webhooks.receiver.arrivals[1]?.body ?? '')).toMatchObject({
      type: 'issue.created',
      data: { data: { title: 'Before it existed' } },
    });
  });

  test('skips pending deliveries', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(500);
    await webhooks.cause();
    const [pending] = await webhooks.untilDeliveries([{ status: 'pending', attempts: 1 }]);
    expect(await call({ webhook_id: id, since: before })).toBe(0);
    expect(await call({ delivery_id: pending?.id ?? 0 })).toBe(0);
  });

  test('is refused for an inactive webhook or for too many messages', async () => {
    const { id } = await webhooks.create();
    await webhooks.sql(
      `insert into webhook_deliveries (webhook_id, message_id, type, payload, status)
       select $1, 'evt_x' || number, 'issue.created', '{}', 'succeeded' from generate_series(1, 10001) as number`,
      [id],
    );
    const input = { webhook_id: id, since: before };
    expect(await webhooks.api.post('/webhooks/replay', input)).toEqual(
      errorResponse(400, 'More than 10,000 messages match. Choose a shorter period with since and until.'),
    );
    await webhooks.api.put('/webhooks', { id, is_active: 0 });
    expect(await webhooks.api.post('/webhooks/replay', input)).toEqual(
      errorResponse(409, 'The webhook is inactive. Activate it first.'),
    );
  });
});

describe('a test message', () => {
  test('sends one signed message at once, and returns and logs the response', async () => {
    const { id, secret } = await webhooks.create({ events: [] });
    await webhooks.untilDeliveries([{ type: 'webhook.created', status: 'succeeded' }]);
    webhooks.receiver.respond = (response) => response.writeHead(202).end('thank you');
    const { delivery } = await webhooks.superadmin.client.call('webhooks.test', { id });
    expect(delivery).toMatchObject({
      webhook_id: id,
      message_id: expect.stringMatching(/^test_/),
      type: 'webhook.tested',
      status: 'succeeded',
      attempts: 1,
      response_status: 202,
      response_body: 'thank you',
      next_attempt_at: null,
    });
    const message = webhooks.receiver.arrivals.at(-1);
    const verified = new Webhook(secret).verify(
      message?.body ?? '',
      message?.headers as Record<string, string>,
    );
    expect(verified).toEqual(delivery?.payload);
    const { data } = verified as { data: unknown };
    expect(eventSchemas['webhook.tested'].parse(data)).toMatchObject({
      id: 0,
      actor: webhooks.superadmin.email,
      subject_id: String(id),
      data: {},
    });
    // It is not sent as an event.
    await webhooks.untilDeliveries([{ type: 'webhook.created' }, { id: delivery?.id }]);
    expect(webhooks.receiver.arrivals).toHaveLength(2);
    const [record] = await webhooks.sql(`select after from audit_records where event = 'webhook.tested'`);
    expect(record).toEqual({ after: { status: 'succeeded', response_status: 202 } });
  });

  test('that fails is not repeated and does not change the webhook', async () => {
    const { id } = await webhooks.create();
    webhooks.receiver.respond = respondWith(410);
    const { delivery } = await webhooks.superadmin.client.call('webhooks.test', { id });
    expect(delivery).toMatchObject({
      status: 'failed',
      error: 'The receiver answered 410.',
      next_attempt_at: null,
    });
    const { webhooks: all } = await webhooks.superadmin.client.call('webhooks.list');
    expect(all).toMatchObject([{ id, is_active: 1, failing_since: null }]);
  });

  test('also works for an inactive webhook', async () => {
    const { id } = await webhooks.create();
    await webhooks.api.put('/webhooks', { id, is_active: 0 });
    const { delivery } = await webhooks.superadmin.client.call('webhooks.test', { id });
    expect(delivery).toMatchObject({ status: 'succeeded', response_status: 204 });
  });
});

test('the log of deliveries is filtered by webhook, id and status', async () => {
  const { id } = await webhooks.create();
  await webhooks.create();
  const caused = [await webhooks.cause(), await webhooks.cause()];
  await webhooks.untilDeliveries(Array(4).fill({ status: 'succeeded' }));
  const list = async (input: InputOf<'webhooks.deliveries'>) => {
    const { deliveries } = await webhooks.superadmin.client.call('webhooks.deliveries', input);
    return deliveries as { id: number; message_id: string }[];
  };
  const of = await list({ webhook_id: id });
  expect(of.map(({ message_id }) => message_id)).toEqual(caused.toReversed());
  expect(await list({ id: of[0]?.id })).toEqual([of[0]]);
  expect([await list({ id: 0 }), await list({ status: 'failed' })]).toEqual([[], []]);
});
