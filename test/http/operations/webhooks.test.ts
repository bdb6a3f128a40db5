import { describe, expect, test } from 'vitest';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { errorResponse, success, timestampPattern } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';

const backoffice = backofficeHere();

const url = 'https://hooks.example.com/services/T0/B0/a-secret-part';

type Created = OutputOf<'webhooks.create'>;

async function create(input: object = {}): Promise<Created> {
  const { status, body } = await backoffice.api.post('/webhooks', { url, ...input });
  expect(status).toBe(200);
  return body as Created;
}

async function webhookOf(id: number) {
  const { webhooks } = await backoffice.superadmin.client.call('webhooks.list');
  return webhooks.find((webhook) => webhook.id === id);
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
    [{ events: ['issue.created', 'admin.deleted'], url: 'http://other.example.com/' }],
    [{ is_active: 0 }],
  ])('is updated by %j, and nothing else changes', async (changes) => {
    const { webhook } = await create({ events: ['issue.updated'], description: 'Old' });
    expect(await backoffice.api.put('/webhooks', { id: webhook.id, ...changes })).toEqual(success);
    const now = await webhookOf(webhook.id);
    expect(now).toEqual({ ...webhook, ...changes, updated_at: expect.stringMatching(timestampPattern) });
  });

  test('has each event once, in any order, no event means all, and no fragment', async () => {
    const given = { url: `${url}#part`, events: ['issue.created', 'issue.updated', 'issue.created'] };
    const { webhook } = await create(given);
    expect(webhook).toMatchObject({ url, events: ['issue.created', 'issue.updated'] });
    const put = (fields: object) => backoffice.api.put('/webhooks', { id: webhook.id, ...fields });
    const seen = { url, events: ['issue.updated', 'issue.created'] };
    expect(await put({ events: [], expected: seen })).toEqual(success);
    expect(await put({ is_active: 0, expected: seen })).toEqual(
      errorResponse(409, 'Changed meanwhile: events is now all.'),
    );
  });

  test('is deleted, after which a test and a replay of it do nothing', async () => {
    const { webhook } = await create();
    expect(await backoffice.api.delete(`/webhooks?id=${webhook.id}`)).toEqual(success);
    expect(await webhookOf(webhook.id)).toBeUndefined();
    const nothing = async (path: string, body: object) => (await backoffice.api.post(path, body)).body;
    expect(await nothing('/webhooks/test', { id: webhook.id })).toEqual({ success: true, delivery: null });
    expect(await nothing('/webhooks/replay', { delivery_id: 1e300 })).toEqual({ success: true, replayed: 0 });
  });
});

test('the records of a webhook have each change with the origin of its URL, and never the secret or the rest of the URL', async () => {
  const { webhook, secret } = await create({ events: ['issue.created'] });
  const { id } = webhook;
  const { body } = await backoffice.api.put('/webhooks', { id, rotate_secret: true, url: `${url}-too` });
  await backoffice.api.put('/webhooks', { id, is_active: 0 });
  await backoffice.api.delete(`/webhooks?id=${id}`);
  const records = await backoffice.sql(
    'select event, before, after from audit_records where operation = any($1) and subject_id = $2 order by id',
    [['webhooks.create', 'webhooks.update', 'webhooks.delete'], String(id)],
  );
  const origin = 'https://hooks.example.com';
  const fields = { origin, events: ['issue.created'], description: '', is_active: 1 };
  const rotated = { ...fields, url: 'changed', secret: 'changed' };
  const inactive = { ...fields, is_active: 0 };
  expect(records).toEqual([
    { event: 'webhook.created', before: null, after: fields },
    { event: 'webhook.updated', before: fields, after: rotated },
    { event: 'webhook.updated', before: fields, after: inactive },
    { event: 'webhook.deleted', before: inactive, after: null },
  ]);
  const kept = await backoffice.sql(
    `select audit_records::text as row from audit_records union all select events::text from events
     union all select webhook_deliveries::text from webhook_deliveries`,
  );
  const everything = JSON.stringify([kept, await backoffice.api.get('/webhooks/deliveries')]);
  for (const hidden of [secret, (body as { secret: string }).secret, 'a-secret-part'])
    expect(everything).not.toContain(hidden);
});
