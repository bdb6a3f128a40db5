import { expect, test } from 'vitest';
import { readEventStream } from '../../src/contract/client/follow.ts';
import { eventOrGapSchema } from '../../src/contract/events/envelope.ts';
import { webhooksHere } from '../support/receivers.ts';

const webhooks = webhooksHere();

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

test('a webhook receives the very bytes that the stream sends', async () => {
  await webhooks.create({ events: [] });
  await causeEvents();
  const streamed = await streamedAfter(0, 'setting.deleted');
  expect(streamed.length).toBeGreaterThan(8);
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

test('every event has the fields of the envelope in order, and matches the schema of its type', async () => {
  await webhooks.create({ events: [] });
  await causeEvents();
  const streamed = await streamedAfter(0, 'setting.deleted');
  for (const text of streamed) {
    const event = JSON.parse(text);
    expect(Object.keys(event)).toEqual(['id', 'type', 'created_at', 'actor', 'subject_id', 'data']);
    expect(eventOrGapSchema.parse(event)).toEqual(event);
  }
});
