import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeConversations } from '../../../src/services/background/retention.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';

let service: TestService;
const query = (text: string) =>
  withClient(service.databaseUrl, async (client) => (await client.query(text)).rows);
const left = async () => (await query('select id from conversations order by id')).map(({ id }) => id);
const everything = [
  ...['closed', 'open', 'pending', 'resolved'].flatMap((status) => [`${status}_29`, `${status}_31`]),
].sort();

beforeAll(async () => {
  service = await startTestService();
  await query(`
    insert into conversations (id, visitor_email, visitor_name, subject, status, updated_at)
    select status || '_' || days, 'ada@example.com', 'Ada', 'Invoice', status, now() - make_interval(days => days)
    from unnest(array['open', 'pending', 'resolved', 'closed']) as status, unnest(array[29, 31]) as days;
    alter table conversation_messages disable trigger conversation_messages_after_insert;
    insert into conversation_messages (conversation_id, sender_type, content) select id, 'visitor', 'Hi' from conversations;
    alter table conversation_messages enable trigger conversation_messages_after_insert;
    insert into comments (conversation_id, content) select id, 'Note' from conversations;
    insert into issues (id, title) values (1, 'Linked');
    insert into issue_links (issue_id, conversation_id) values (1, 'closed_31'), (1, 'closed_29');
  `);
});

afterAll(() => service?.stop());

test.each(['', '0', 'soon', '-5'])('keeps every conversation with the setting %j', async (value) => {
  await query(`
    insert into settings values ('conversation_retention_days', '${value}')
    on conflict (setting_key) do update set setting_value = excluded.setting_value
  `);
  await purgeConversations(service.services);
  expect(await left()).toEqual(everything);
});

test('deletes resolved and closed conversations that nobody touched, also in several batches, and tells followers', async () => {
  await query(`update settings set setting_value = '30' where setting_key = 'conversation_retention_days'`);
  await Promise.all([purgeConversations(service.services, 1), purgeConversations(service.services, 1)]);
  expect(await left()).toEqual(everything.filter((id) => id !== 'closed_31' && id !== 'resolved_31'));
  const rest = `select (select count(*) from conversation_messages)::integer as messages,
    (select count(*) from comments)::integer as comments, (select count(*) from issue_links)::integer as links`;
  expect(await query(rest)).toEqual([{ messages: 6, comments: 6, links: 1 }]);
  await service.services.publisher.catchUp();
  const events = await query(`select type, subject_id, data from events order by type, subject_id`);
  const data = { visitor_email: '[erased]', subject: '[erased]' };
  expect(events).toEqual([
    { type: 'conversation.deleted', subject_id: 'closed_31', data: { ...data, status: 'closed' } },
    { type: 'conversation.deleted', subject_id: 'resolved_31', data: { ...data, status: 'resolved' } },
    { type: 'link.deleted', subject_id: '1', data: { issue_id: 1, conversation_id: 'closed_31' } },
  ]);
  const [record] = await query(`select distinct actor_kind, operation from audit_records`);
  expect(record).toEqual({ actor_kind: 'service', operation: 'conversations.purge' });
});
