import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeHistory, purgeTrail } from '../../../src/services/background/retention.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';

let service: TestService;

const query = (text: string) =>
  withClient(service.databaseUrl, async (client) => (await client.query(text)).rows);
const kept = async () =>
  (await query('select subject_id from events order by id')).map((row) => row.subject_id);

beforeAll(async () => {
  service = await startTestService();
  await query(`
    insert into events (type, subject_id, actor, created_at)
    select 'issue.created', days::text, 'tests', now() - make_interval(days => days)
    from unnest(array[30, 20, 8, 6, 2, 1]) as days
  `);
});

afterAll(() => service?.stop());

test('keeps events for seven days', async () => {
  await purgeTrail(service.services);
  expect(await kept()).toEqual(['6', '2', '1']);
});

test('keeps events as long as the setting says', async () => {
  await query(`insert into settings (setting_key, setting_value) values ('events_retention_days', '3')`);
  await purgeTrail(service.services);
  expect(await kept()).toEqual(['2', '1']);
});

test.each(['0', '-1', 'soon', ''])('ignores the setting %j', async (value) => {
  await query(`update settings set setting_value = '${value}' where setting_key = 'events_retention_days'`);
  await purgeTrail(service.services);
  expect(await kept()).toEqual(['2', '1']);
});

describe('history', () => {
  const left = async () =>
    (
      await query(`
        select
          (select array_agg(count order by id) from changes) as changes,
          (select array_agg(before order by id) from issue_history) as issues,
          (select array_agg(before order by id) from conversation_history) as conversations
      `)
    )[0];

  beforeAll(() =>
    query(`
      insert into issues (id, title) values (1, 'Old');
      insert into conversations (id, visitor_email, visitor_name) values ('conv_1', 'v', 'V');
      insert into changes (id, noun, actor_kind, actor_name, door, count, created_at)
      select days, 'issues', 'operator', 'tests', 'cli', days, now() - make_interval(days => days, hours => -1)
      from unnest(array[1, 90, 100, 364, 366, 400]) as days order by days;
      insert into issue_history (change_id, issue_id, field, before, after, created_at)
      select id, 1, 'status', id::text, '', created_at from changes order by created_at;
      insert into conversation_history (change_id, conversation_id, field, before, after, created_at)
      select id, 'conv_1', 'status', id::text, '', created_at from changes order by created_at;
    `),
  );

  test('is kept for a year, and a change a day longer', async () => {
    await purgeHistory(service.services);
    const kept = ['364', '100', '90', '1'];
    expect(await left()).toEqual({
      changes: ['1', '90', '100', '364', '366'],
      issues: kept,
      conversations: kept,
    });
  });

  test('is kept as long as the setting says', async () => {
    await query(`insert into settings (setting_key, setting_value) values ('history_retention_days', '95')`);
    await purgeHistory(service.services);
    expect(await left()).toEqual({
      changes: ['1', '90'],
      issues: ['90', '1'],
      conversations: ['90', '1'],
    });
  });
});
