import { sql } from 'slonik';
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/connection/database.ts';
import { countReplays } from '../../../src/db/tables/webhooks/webhook-replays.ts';
import { explainSent } from '../../support/postgres/plans.ts';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere();

beforeAll(async () => {
  await withClient(own.url, async (client) => {
    // One event a minute until midnight. The webhook is created last, so that it gets no delivery.
    await client.query(`
      insert into events (type, actor, created_at)
      select 'issue.created', 'tests', timestamptz '2026-03-01Z' - (50000 - n) * interval '1 minute'
      from generate_series(1, 50000) as n order by n;
      insert into webhooks (id, url, secret) values (1, 'https://example.com/', '');
      analyze
    `);
  });
});

test.for([
  ['since a time', undefined, 121],
  ['between two times', '2026-02-28T23:00:00Z', 60],
] as const)('events %s are found by their ids, and no earlier event is read', async ([, until, expected]) => {
  const filter = { webhookId: 1, since: '2026-02-28T22:00:00Z', until, status: undefined };
  const nodes = await explainSent(own.pool, async (db) => {
    expect(await countReplays(db, filter, 10_000)).toBe(expected);
  });
  const reads = nodes.filter((node) => node['Relation Name'] === 'events');
  expect(reads.length).toBeGreaterThan(1);
  for (const read of reads) {
    expect(read).toMatchObject({ 'Index Name': 'events_pkey' });
    expect(read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(122);
  }
});

// A plan made while a table was small can take minutes after the table has grown by thousands of rows.
test('the count is planned each time', async () => {
  const single = openDatabase({ databaseUrl: own.url, maxConnections: 1 });
  const filter = { webhookId: 1, since: '2026-02-28T22:00:00Z', until: undefined, status: undefined };
  for (let round = 0; round < 7; round += 1) await countReplays(single, filter, 10_000);
  await single.any(sql.unsafe`select 1 as kept`);
  const kept = await single.anyFirst(sql.unsafe`select statement from pg_prepared_statements`);
  expect(kept).toContain('select 1 as kept');
  expect(kept.join()).not.toContain('webhook_deliveries');
  await single.close();
});
