import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeTrail } from '../../../src/services/background/retention.ts';
import { withClient } from '../../support/database/client.ts';
import { startTestService, type TestService } from '../../support/http/service.ts';

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
