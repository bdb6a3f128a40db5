import { describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { eventTypes } from '../../../src/contract/vocabulary.ts';
import { openWebhookSecrets } from '../../../src/services/webhooks/webhook-secrets.ts';
import { errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const url = 'https://hooks.example.com/services/T0/B0/a-secret-part';

type Created = OutputOf<'webhooks.create'>;

async function create(input: object = {}): Promise<Created> {
  const { status, body } = await backoffice.api.post('/webhooks', { url, ...input });
  expect(status).toBe(200);
  return body as Created;
}

async function webhookOf(id: number): Promise<Record<string, unknown> | undefined> {
  const { body } = await backoffice.api.get('/webhooks');
  return (body as OutputOf<'webhooks.list'>).webhooks.find((webhook) => webhook.id === id);
}

describe('a webhook', () => {
  test('is created active, for every event, and its secret is returned only then', async () => {
    const { webhook, secret } = await create();
    expect(webhook).toEqual({
      id: expect.any(Number),
      url,
      events: [],
      description: '',
      is_active: 1,
      failing_since: null,
      created_at: expect.stringMatching(timestampPattern),
      updated_at: expect.stringMatching(timestampPattern),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await webhookOf(webhook.id)).toEqual(webhook);
    expect((await create()).secret).not.toBe(secret);
    const rows = await backoffice.sql(
      "select from webhooks where secret !~ '^sealed[.]v1[.][0-9a-f]{8}[.]' or former_secret like 'whsec%'",
    );
    expect(rows).toEqual([]);
  });

  test.each([
    [{ description: 'For the chat' }],
    [{ events: ['issue.created', 'admin.deleted'] }],
    [{ events: [] }],
    [{ url: 'http://other.example.com/' }],
    [{ is_active: 0 }],
    [{ is_active: 1 }],
  ])('is updated by %j, and nothing else changes', async (changes) => {
    const { webhook } = await create({ events: ['issue.updated'], description: 'Old' });
    expect(await backoffice.api.put('/webhooks', { id: webhook.id, ...changes })).toEqual(success);
    const now = await webhookOf(webhook.id);
    expect(now).toEqual({ ...webhook, ...changes, updated_at: expect.stringMatching(timestampPattern) });
  });

  test('gets a new secret, which is returned once', async () => {
    const { webhook, secret } = await create();
    const { body } = await backoffice.api.put('/webhooks', { id: webhook.id, rotate_secret: true });
    const fresh = (body as { secret: string }).secret;
    expect(body).toEqual({ success: true, secret: expect.stringMatching(/^whsec_/) });
    const [row] = await backoffice.sql(
      `select secret, former_secret, former_secret_expires_at - now() > interval '23 hours' as stays
       from webhooks where id = $1`,
      [webhook.id],
    );
    expect(row?.stays).toBe(true);
    const { secretBox } = backoffice.service.services;
    const stored = [row?.secret, row?.former_secret] as string[];
    expect(openWebhookSecrets(secretBox, webhook.id, stored)).toEqual([fresh, secret]);
  });

  test('stays as it is, with no record, if its secret is not to be rotated and nothing else changes', async () => {
    const { webhook } = await create();
    const before = await auditRecordsOf(backoffice, 'webhooks.update');
    const answer = await backoffice.api.put('/webhooks', { id: webhook.id, rotate_secret: false });
    expect(answer).toEqual(success);
    expect(await webhookOf(webhook.id)).toEqual(webhook);
    expect(await auditRecordsOf(backoffice, 'webhooks.update')).toEqual(before);
  });

  test('is changed only if it is still what the caller saw', async () => {
    const { webhook } = await create({ events: ['issue.created', 'issue.updated'], description: 'Old' });
    const { id } = webhook;
    const put = (fields: object) => backoffice.api.put('/webhooks', { id, ...fields });
    const seen = { url, events: ['issue.updated', 'issue.created'], description: 'Old', is_active: 1 };
    expect(await put({ description: 'New', expected: seen })).toEqual(success);
    const answer = await put({ events: [], rotate_secret: true, expected: seen });
    expect(answer).toEqual(errorResponse(409, 'Changed meanwhile: description is now New.'));
    expect(await put({ events: [], expected: { description: 'New' } })).toEqual(success);
    expect(await put({ is_active: 0, expected: { events: ['issue.created'] } })).toEqual(
      errorResponse(409, 'Changed meanwhile: events is now all.'),
    );
    expect(await put({ is_active: 0, expected: { events: 'issue.created' } })).toEqual(
      errorResponse(400, 'expected.events must be an array.'),
    );
    expect(await webhookOf(id)).toMatchObject({ description: 'New', events: [], is_active: 1 });
    await backoffice.api.delete(`/webhooks?id=${id}`);
    expect(await put({ is_active: 0, expected: { is_active: 1 } })).toEqual(
      errorResponse(409, 'Changed meanwhile: the webhook no longer exists.'),
    );
  });

  test('is normalized: the fragment is removed, and each event is listed once', async () => {
    const { webhook } = await create({
      url: 'HTTPS://Hooks.Example.com#part',
      events: ['issue.created', 'issue.created'],
    });
    expect(webhook).toMatchObject({ url: 'https://hooks.example.com/', events: ['issue.created'] });
  });

  test('is deleted; an unknown id succeeds too', async () => {
    const { webhook } = await create();
    expect(await backoffice.api.delete(`/webhooks?id=${webhook.id}`)).toEqual(success);
    expect(await webhookOf(webhook.id)).toBeUndefined();
    expect(await backoffice.api.delete(`/webhooks?id=${webhook.id}`)).toEqual(success);
    expect(await backoffice.api.put('/webhooks', { id: webhook.id, is_active: 1 })).toEqual(success);
    expect(await backoffice.api.put('/webhooks', { id: webhook.id, rotate_secret: true })).toEqual(success);
    expect(await backoffice.api.post('/webhooks/test', { id: webhook.id })).toEqual({
      status: 200,
      body: { success: true, delivery: null },
    });
    expect(await backoffice.api.post('/webhooks/replay', { delivery_id: 1e300 })).toEqual({
      status: 200,
      body: { success: true, replayed: 0 },
    });
  });
});

describe('the records of a webhook', () => {
  test('have each change with the origin of its URL, and never the secret or the rest of the URL', async () => {
    const { webhook, secret } = await create({ events: ['issue.created'] });
    const { id } = webhook;
    const { body } = await backoffice.api.put('/webhooks', { id, rotate_secret: true, url: `${url}-too` });
    await backoffice.api.put('/webhooks', { id, is_active: 0 });
    await backoffice.api.delete(`/webhooks?id=${id}`);
    const records = await backoffice.sql(
      `select event, operation, before, after from audit_records
       where event like 'webhook.%' and subject_id = $1 order by id`,
      [String(id)],
    );
    const fields = {
      origin: 'https://hooks.example.com',
      events: ['issue.created'],
      description: '',
      is_active: 1,
    };
    expect(records).toEqual([
      { event: 'webhook.created', operation: 'webhooks.create', before: null, after: fields },
      {
        event: 'webhook.updated',
        operation: 'webhooks.update',
        before: fields,
        after: { ...fields, url: 'changed', secret: 'changed' },
      },
      {
        event: 'webhook.updated',
        operation: 'webhooks.update',
        before: fields,
        after: { ...fields, is_active: 0 },
      },
      {
        event: 'webhook.deleted',
        operation: 'webhooks.delete',
        before: { ...fields, is_active: 0 },
        after: null,
      },
    ]);
    const kept = await backoffice.sql(
      `select audit_records::text as row from audit_records union all select events::text from events
       union all select webhook_deliveries::text from webhook_deliveries`,
    );
    const everything = JSON.stringify([kept, await backoffice.api.get('/webhooks/deliveries')]);
    for (const hidden of [secret, (body as { secret: string }).secret, 'a-secret-part']) {
      expect(everything).not.toContain(hidden);
    }
  });
});

describe('an invalid request', () => {
  const events = 'events must be a list of event types, such as ["issue.created"]. An empty list means all.';
  const unknown = `Unknown event type: "issue.exploded". Available: ${eventTypes.join(', ')}.`;
  test.each([
    [{}, 'url is required.'],
    [{ url: 7 }, 'url is required.'],
    [{ url: '' }, 'url is required.'],
    [{ url: 'example.com' }, 'url must be an http or https URL, such as https://example.com/hooks.'],
    [{ url: 'ftp://example.com' }, 'url must be an http or https URL, such as https://example.com/hooks.'],
    [{ url: 'https://' }, 'url must be an http or https URL, such as https://example.com/hooks.'],
    [{ url: 'https://me:secret@example.com' }, 'url must not contain a user name or a password.'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, 'url must be at most 2,048 characters.'],
    [{ url, events: 'issue.created' }, events],
    [{ url, events: [7] }, events],
    [{ url, events: ['issue.created', 'issue.exploded'] }, unknown],
  ])('to create one with %j is 400', async (input, text) => {
    expect(await backoffice.api.post('/webhooks', input)).toEqual(errorResponse(400, text));
  });

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'https://localhost/x',
    'http://169.254.169.254/',
    'http://10.1/',
  ])('to point one to %s is 400', async (address) => {
    const text = 'url must point to a public address, unless BACKOFFICE_WEBHOOK_ALLOW_PRIVATE is set to 1.';
    expect(await backoffice.api.post('/webhooks', { url: address })).toEqual(errorResponse(400, text));
    const { webhook } = await create();
    expect(await backoffice.api.put('/webhooks', { id: webhook.id, url: address })).toEqual(
      errorResponse(400, text),
    );
  });

  test.each([
    ['/webhooks', {}, 'Webhook ID is required.'],
    ['/webhooks', { id: 1 }, 'No fields to update.'],
    ['/webhooks', { id: 1, url: 7 }, 'url is required.'],
    ['/webhooks', { id: 1, is_active: true }, 'is_active must be 0 or 1.'],
    ['/webhooks', { id: 1, rotate_secret: 1 }, 'rotate_secret must be true or false.'],
    ['/webhooks', { id: 1, events: {} }, events],
  ])('to update one with PUT %s %j is 400', async (path, input, text) => {
    expect(await backoffice.api.put(path, input)).toEqual(errorResponse(400, text));
  });

  test.each([
    ['/webhooks/test', {}, 'Webhook ID is required.'],
    ['/webhooks/replay', {}, 'Give either delivery_id, or webhook_id and since.'],
    ['/webhooks/replay', { webhook_id: 1 }, 'Give either delivery_id, or webhook_id and since.'],
    [
      '/webhooks/replay',
      { delivery_id: 1, webhook_id: 1, since: '2026-01-01' },
      'Give either delivery_id, or webhook_id and since.',
    ],
    ['/webhooks/replay', { webhook_id: 1, since: 'soon' }, 'since must be an ISO 8601 time.'],
    [
      '/webhooks/replay',
      { webhook_id: 1, since: '2026-01-01', status: 'pending' },
      'status must be one of: succeeded, failed.',
    ],
  ])('to POST %s %j is 400', async (path, input, text) => {
    expect(await backoffice.api.post(path, input)).toEqual(errorResponse(400, text));
  });

  test('to list deliveries of an unknown status is 400', async () => {
    expect(await backoffice.api.get('/webhooks/deliveries?status=lost')).toEqual(
      errorResponse(400, 'status must be one of: pending, succeeded, failed.'),
    );
  });
});

test('an event creates no delivery and no job without webhooks', async () => {
  await backoffice.sql('delete from webhooks');
  await backoffice.sql('delete from webhook_deliveries');
  await backoffice.sql('select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs');
  await backoffice.api.post('/issues', { title: 'Nobody hears of it' });
  const [left] = await backoffice.sql(
    `select (select count(*)::int from webhook_deliveries) as deliveries, (select count(*)::int from graphile_worker.jobs) as jobs`,
  );
  expect(left).toEqual({ deliveries: 0, jobs: 0 });
});
