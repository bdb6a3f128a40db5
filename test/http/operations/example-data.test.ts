import { expect, test } from 'vitest';
import { seed } from '../../../src/services/seed/index.ts';
import { apiOfRole } from '../../support/here/accounts.ts';
import { errorResponseLike } from '../../support/here/requests.ts';
import { backofficeHere } from '../../support/here.ts';
import { smallSeed, wrongCounters } from '../../support/postgres/seeded.ts';

const own = backofficeHere();

const tables = [
  ...[
    'issues',
    'conversations',
    'conversation_messages',
    'issue_links',
    'comments',
    'labels',
    'saved_replies',
  ],
  ...['settings', 'token_usage_records', 'scraping_runs', 'scraping_errors'],
];

/** Returns the keys of all rows, by table. */
async function everyRow() {
  const rows = tables.map((table) => `select '${table}' as table, to_jsonb(t) as row from ${table} as t`);
  const found = await own.sql<{ table: string; row: Record<string, unknown> }>(rows.join(' union all '));
  const keyOf = (row: Record<string, unknown>) =>
    row.setting_key ?? row.record_id ?? row.run_id ?? row.name ?? row.id;
  return found.map(({ table, row }) => `${table} ${keyOf(row)}`).sort();
}

test('what a seed has made is removed, whatever was done with it, and nothing else', async () => {
  const { client } = own.superadmin;
  const { call } = client;
  const has = async () => (await call('session.show', { include: 'examples' })).has_examples;
  await call('settings.update', { key: 'timezone', value: 'Europe/Zurich' });
  expect(await has()).toBe(false);
  await seed(own.service.databaseUrl, { ...smallSeed, issues: 40, conversations: 20 });
  await seed(own.service.databaseUrl, {
    ...smallSeed,
    issues: 40,
    conversations: 20,
    append: true,
    randomSeed: 8,
  });
  expect(await has()).toBe(true);
  // Of the team.
  const before = await call('issues.create', { title: 'Own', severity: 'High' });
  const after = await call('issues.create', { title: 'Own too', severity: 'Low' });
  const { conversation } = await call('conversations.create', {
    visitor_email: 'v@example.org',
    visitor_name: 'V',
  });
  const record = { record_id: 'own', model: 'small-1', input_tokens: 1_000, output_tokens: 9 };
  await call('tokenUsage.record', record);
  // What somebody does with the example data.
  const [example] = await own.sql<{ id: string }>(`select id from conversations where id <> $1 limit 1`, [
    conversation.id,
  ]);
  const conversation_id = example?.id ?? '';
  await call('messages.create', { conversation_id, sender_type: 'admin', content: 'Hello' });
  await call('links.create', { issue_id: Number(before.id), conversation_id });
  await call('comments.create', { conversation_id, content: 'Only an example' });
  await call('conversations.update', {
    ids: [conversation_id],
    set: { status: 'closed', add_labels: ['billing'] },
  });
  await call('issues.update', { ids: [Number(after.id)], set: { add_labels: ['mine'] } });
  await call('settings.update', { key: 'site_name', value: 'Own site' });

  const admin = await apiOfRole(own, 'admin');
  expect(await admin.delete('/example-data')).toEqual(errorResponseLike(403, /./));
  const { deleted } = await call('exampleData.delete');
  expect(deleted).toBeGreaterThan(8_000);
  const left = await everyRow();
  expect(left).toEqual(
    [
      `issues ${before.id}`,
      `issues ${after.id}`,
      `conversations ${conversation.id}`,
      'labels mine',
      'settings site_name',
      'settings timezone',
      'token_usage_records own',
    ].sort(),
  );
  expect(await has()).toBe(false);
  expect(await call('exampleData.delete')).toEqual({ success: true, deleted: 0 });
  expect(await wrongCounters({ url: own.service.databaseUrl })).toEqual([]);
  const events = await own.sql<{ event: string; actor: string }>(
    `select distinct event, actor_name as actor from audit_records where operation = 'exampleData.delete' order by 1`,
  );
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['example_data.deleted']));
});
