import { expect, test } from 'vitest';
import { purgeConversations, purgeHistory, purgeTrail } from '../../../src/services/background/retention.ts';
import { backofficeHere } from '../../support/here.ts';

const own = backofficeHere();
const query = own.sql;

/** Sets or changes a number of days. */
const retain = (what: string, days: string) =>
  query(
    `insert into settings (setting_key, setting_value) values ($1, $2)
     on conflict (setting_key) do update set setting_value = excluded.setting_value`,
    [`${what}_retention_days`, days],
  );

test('the purge of the audit trail keeps every record without the setting, else deletes older ones in recorded batches', async () => {
  const expired = 12_000;
  await query(`
    insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event)
    select -n, now() - case when n <= ${expired} then interval '91 days' else interval '89 days' end,
      'operator', 'tests', 'cli', 'issues.create', 'issue.created'
    from generate_series(1, ${expired} + 10) as n
  `);
  const { services } = own.service;
  const old = 'select count(*)::integer from audit_records where id < 0';
  await purgeTrail(services);
  expect(await query(old)).toEqual([{ count: expired + 10 }]);

  await retain('audit', '90');
  await purgeTrail(services);
  const recorded = await query(`
    select actor_kind, door, (after ->> 'records')::integer as records
    from audit_records where event = 'audit.purged' order by id
  `);
  expect(recorded).toEqual([
    { actor_kind: 'service', door: 'job', records: 5_000 },
    { actor_kind: 'service', door: 'job', records: 5_000 },
    { actor_kind: 'service', door: 'job', records: 2_000 },
  ]);
  expect(await query(old)).toEqual([{ count: 10 }]);
});

test('the purge deletes resolved and closed conversations that nobody touched in so many days, and tells followers', async () => {
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
  const ids = async () => (await query('select id from conversations order by id')).map(({ id }) => id);
  const { services } = own.service;
  const everything = await ids();
  for (const value of ['0', 'soon', '-5']) {
    await retain('conversation', value);
    await purgeConversations(services);
    expect(await ids()).toEqual(everything);
  }

  await retain('conversation', '30');
  // In several batches, on two instances at once.
  await Promise.all([purgeConversations(services, 1), purgeConversations(services, 1)]);
  expect(await ids()).toEqual(everything.filter((id) => id !== 'closed_31' && id !== 'resolved_31'));
  const rest = `select (select count(*) from conversation_messages)::integer as messages,
    (select count(*) from comments)::integer as comments, (select count(*) from issue_links)::integer as links`;
  expect(await query(rest)).toEqual([{ messages: 6, comments: 6, links: 1 }]);
  await services.publisher.catchUp();
  const deleted = await query(
    `select type, events.subject_id, data, actor_kind, operation from events join audit_records using (id)
     where type like '%.deleted' order by type, subject_id`,
  );
  const data = { visitor_email: '[erased]', subject: '[erased]' };
  const by = { actor_kind: 'service', operation: 'conversations.purge' };
  expect(deleted).toEqual([
    { ...by, type: 'conversation.deleted', subject_id: 'closed_31', data: { ...data, status: 'closed' } },
    { ...by, type: 'conversation.deleted', subject_id: 'resolved_31', data: { ...data, status: 'resolved' } },
    { ...by, type: 'link.deleted', subject_id: '1', data: { issue_id: 1, conversation_id: 'closed_31' } },
  ]);
});

test('events are kept for seven days, or as long as the setting says, whatever else it is', async () => {
  await query('truncate events');
  await query(`
    insert into events (type, subject_id, actor, created_at)
    select 'issue.created', days::text, 'tests', now() - make_interval(days => days)
    from unnest(array[30, 20, 8, 6, 2, 1]) as days
  `);
  const week = ['6', '2', '1'];
  for (const [days, kept] of [
    ['', week],
    ['-1', week],
    ['3', ['2', '1']],
  ] as const) {
    if (days !== '') await retain('events', days);
    await purgeTrail(own.service.services);
    const left = await query('select subject_id from events order by id');
    expect(left).toEqual(kept.map((subject_id) => ({ subject_id })));
  }
});

test('history is kept for a year, or as long as the setting says, and a change a day longer', async () => {
  await query(`
    insert into issues (id, title) values (2, 'Old');
    insert into conversations (id, visitor_email, visitor_name) values ('conv_1', 'v', 'V');
    insert into changes (id, noun, actor_kind, actor_name, door, count, created_at)
    select days, 'issues', 'operator', 'tests', 'cli', days, now() - make_interval(days => days, hours => -1)
    from unnest(array[1, 90, 100, 364, 366, 400]) as days order by days;
    insert into issue_history (change_id, issue_id, field, before, after, created_at)
    select id, 2, 'status', id::text, '', created_at from changes order by created_at;
    insert into conversation_history (change_id, conversation_id, field, before, after, created_at)
    select id, 'conv_1', 'status', id::text, '', created_at from changes order by created_at;
  `);
  for (const [days, changes, kept] of [
    [undefined, ['1', '90', '100', '364', '366'], ['364', '100', '90', '1']],
    ['95', ['1', '90'], ['90', '1']],
  ] as const) {
    if (days !== undefined) await retain('history', days);
    await purgeHistory(own.service.services);
    const [left] = await query(`
      select
        (select array_agg(count order by id) from changes) as changes,
        (select array_agg(before order by id) from issue_history) as issues,
        (select array_agg(before order by id) from conversation_history) as conversations
    `);
    expect(left).toEqual({ changes, issues: kept, conversations: kept });
  }
});
