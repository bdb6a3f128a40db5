import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takesIdempotencyKey } from '../../../src/contract/idempotency.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { postWithKey, replayOf } from '../../support/here/requests.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';

const backoffice = backofficeHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
const registry: readonly Operation[] = operations;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  // The documented examples use these rows.
  await backoffice.sql(
    "insert into conversations (id, visitor_email, visitor_name) values ('conv_1769851800000_k3x9a2b', 'v@example.com', 'V')",
  );
  await backoffice.sql(
    "insert into conversation_messages (conversation_id, sender_type, content) values ('conv_1769851800000_k3x9a2b', 'visitor', 'M')",
  );
  await backoffice.sql("insert into issues (id, title) overriding system value values (7, 'T')");
  // By the service, which encrypts its secret. The first of a database has the id 1.
  await backoffice.superadmin.client.call('webhooks.create', {
    url: receiver.url,
    events: ['issue.created'],
  });
  await backoffice.sql(
    `insert into webhook_deliveries (webhook_id, message_id, type, payload, status, created_at)
     values (1, 'evt_1', 'issue.created', '{}', 'failed', '2026-01-30 12:00Z')`,
  );
});

afterAll(() => receiver?.close());

test('every POST takes a key, except those that are open to anyone or check a password or a code', () => {
  const without = registry.filter(
    (operation) => operation.method === 'POST' && !takesIdempotencyKey(operation),
  );
  expect(without.filter(({ allow }) => allow.to !== 'anyone').map(({ id }) => id)).toEqual([
    'device.approve',
    'device.deny',
    'factors.create',
    'factors.createRecoveryCodes',
  ]);
});

describe.each(registry.filter(takesIdempotencyKey))('$id', ({ id, path, example, errors = [] }) => {
  test('does its work once for two requests with the same key, and answers both with the same bytes', async () => {
    const { service, superadmin } = backoffice;
    const send = () =>
      postWithKey(service.url, superadmin, path.replace('/api/admin', ''), example?.input ?? {}, `of ${id}`);
    const first = await send();
    const documented = errors.map(({ text }) => JSON.stringify({ error: text }));
    if (first.status !== 200) expect(documented).toContain(first.text);
    expect(first.replayed).toBe(false);
    const recorded = await auditRecordsOf(backoffice, id);

    expect(await send()).toEqual(replayOf(first));
    expect(await auditRecordsOf(backoffice, id)).toEqual(recorded);
  });
});
