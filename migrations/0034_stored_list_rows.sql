-- Up Migration

-- The list of conversations is sent as JSON, and a whole list has far more rows than are written between two readers. So the
-- JSON is made when a row is written: a conversation keeps the beginning of its row in the list, and its preview the rest.

-- Formats a time as lists show it. Immutable, because no setting of the session changes the result. Null if the time is
-- infinite, as in the lists.
create function list_time(at timestamptz) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return case
    when at >= timestamptz '0001-01-01Z' and at < timestamptz '10000-01-01Z' then substr(to_json(
      date_trunc('milliseconds', at at time zone interval '0') + interval '1 microsecond'
    )::text, 2, 23) || 'Z'
    else to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  end;
end
$$;

comment on function list_time is 'A time as ISO 8601 in UTC, with milliseconds.';

-- With longer texts, the row would be larger than a quarter of a page, and Postgres would compress it or move it out.
create function conversation_list_fields(
  id text, visitor_email text, visitor_name text, subject text, status text, created_at timestamptz, updated_at timestamptz
) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  if octet_length(id) + octet_length(visitor_email) + octet_length(visitor_name) + octet_length(subject)
    + octet_length(status) > 700
  then
    return null;
  end if;
  return '{"id":' || to_json(id)
    || ',"visitor_email":' || to_json(visitor_email)
    || ',"visitor_name":' || to_json(visitor_name)
    || ',"subject":' || to_json(subject)
    || ',"status":' || to_json(status)
    || ',"created_at":"' || public.list_time(created_at)
    || '","updated_at":"' || public.list_time(updated_at)
    || '","last_message":';
end
$$;

comment on function conversation_list_fields is
  'The beginning of a row of the list as JSON, up to the last message; null if its texts are long.';

create function conversation_list_counts(message_at timestamptz, unread_count integer) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return ',"last_message_at":"' || public.list_time(message_at) || '","unread_count":' || unread_count;
end
$$;

comment on function conversation_list_counts is 'What follows the last message in a row of the list, as JSON.';

alter table conversations add column list_fields text
generated always as (
  conversation_list_fields(id, visitor_email, visitor_name, subject, status, created_at, updated_at)
) stored;

comment on column conversations.list_fields is
  'The beginning of the row in the list as JSON, up to the last message; null if its texts are long.';

-- Writers of messages wait from here on, so that the counts stay right until the triggers keep them.
lock table conversation_messages in share row exclusive mode;

alter table conversation_previews
alter column content type json using to_json(content),
add column unread_count integer not null default 0,
add column list_counts text generated always as (conversation_list_counts(message_at, unread_count)) stored;

comment on table conversation_previews is
  'The newest message of each conversation that has one, and how many are unread. Maintained by triggers of conversation_messages.';
comment on column conversation_previews.content is
  'What the message says, as JSON; null if that is long. Then only the message has it.';
comment on column conversation_previews.unread_count is 'The visitor''s messages with status sent.';
comment on column conversation_previews.list_counts is 'What follows the last message in the row of the list, as JSON.';

update conversation_previews as preview
set unread_count = unread.count
from (
  select conversation_id, count(*) as count
  from conversation_messages
  where sender_type = 'visitor' and status = 'sent'
  group by conversation_id
) as unread
where preview.conversation_id = unread.conversation_id;

drop function conversation_preview_content(text);

create function conversation_preview_content(content text) returns json
language sql stable strict parallel safe
return case when octet_length(content) <= 1000 then to_json(content) end;

comment on function conversation_preview_content is
  'The text of a message as JSON if it is short enough to be kept twice.';

-- Counts are kept by adding what each statement changes, under the lock of the preview: a statement may insert messages and
-- mark others as read, and each trigger sees what both did.
create or replace function conversation_messages_add_previews() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into conversation_previews as preview (conversation_id, message_id, message_at, content, unread_count)
  select distinct on (conversation_id)
    conversation_id, id, created_at, conversation_preview_content(content),
    count(*) filter (where sender_type = 'visitor' and status = 'sent') over (partition by conversation_id)
  from new_rows
  order by conversation_id, created_at desc, id desc
  on conflict (conversation_id) do update
  set
    message_id = case when (excluded.message_at, excluded.message_id) > (preview.message_at, preview.message_id)
      then excluded.message_id else preview.message_id end,
    message_at = greatest(excluded.message_at, preview.message_at),
    content = case when (excluded.message_at, excluded.message_id) > (preview.message_at, preview.message_id)
      then excluded.content else preview.content end,
    unread_count = preview.unread_count + excluded.unread_count;
  return null;
end
$$;

-- Follows the trigger for each row, which gives a conversation its first preview if a message was moved to it.
create function conversation_messages_change_unread() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  update conversation_previews as preview
  set unread_count = preview.unread_count + locked.change
  from (
    select p.conversation_id, changed.change
    from (
      select conversation_id, sum(change)::integer as change
      from (
        select conversation_id, 1 as change from new_rows where sender_type = 'visitor' and status = 'sent'
        union all
        select conversation_id, -1 from old_rows where sender_type = 'visitor' and status = 'sent'
      ) as unread
      group by conversation_id
      having sum(change) <> 0
    ) as changed
    join conversation_previews as p on p.conversation_id = changed.conversation_id
    order by p.conversation_id
    for no key update of p
  ) as locked
  where preview.conversation_id = locked.conversation_id;
  return null;
end
$$;

create or replace function conversation_messages_remove_previews() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from conversation_previews;
    return null;
  end if;
  perform refresh_conversation_previews(array(select distinct conversation_id from gone));
  update conversation_previews as preview
  set unread_count = preview.unread_count - unread.count
  from (
    select conversation_id, count(*) as count
    from gone
    where sender_type = 'visitor' and status = 'sent'
    group by conversation_id
  ) as unread
  where preview.conversation_id = unread.conversation_id;
  return null;
end
$$;

create or replace function rebuild_conversation_previews() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  lock table conversation_messages in share row exclusive mode;
  delete from conversation_previews;
  insert into conversation_previews (conversation_id, message_id, message_at, content, unread_count)
  select c.id, newest.id, newest.created_at, conversation_preview_content(newest.content), (
    select count(*) from conversation_messages as m
    where m.conversation_id = c.id and m.sender_type = 'visitor' and m.status = 'sent'
  )
  from conversations as c
  cross join lateral (
    select m.id, m.created_at, m.content
    from conversation_messages as m
    where m.conversation_id = c.id
    order by m.created_at desc, m.id desc
    limit 1
  ) as newest
  order by c.id;
end
$$;

comment on function rebuild_conversation_previews is
  'Finds the newest message of every conversation and counts its unread ones again. Blocks writers of messages until it commits.';

revoke execute on function conversation_messages_change_unread() from public;

create trigger conversation_messages_change_unread
after update on conversation_messages
referencing old table as old_rows new table as new_rows
for each statement execute function conversation_messages_change_unread();

-- Down Migration

drop trigger conversation_messages_change_unread on conversation_messages;
drop function conversation_messages_change_unread();

create or replace function conversation_messages_add_previews() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  insert into conversation_previews as preview
  select distinct on (conversation_id) conversation_id, id, created_at, conversation_preview_content(content)
  from new_rows
  order by conversation_id, created_at desc, id desc
  on conflict (conversation_id) do update
  set
    message_id = case when (excluded.message_at, excluded.message_id) > (preview.message_at, preview.message_id)
      then excluded.message_id else preview.message_id end,
    message_at = greatest(excluded.message_at, preview.message_at),
    content = case when (excluded.message_at, excluded.message_id) > (preview.message_at, preview.message_id)
      then excluded.content else preview.content end;
  return null;
end
$$;

create or replace function conversation_messages_remove_previews() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from conversation_previews;
  else
    perform refresh_conversation_previews(array(select distinct conversation_id from gone));
  end if;
  return null;
end
$$;

create or replace function rebuild_conversation_previews() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  lock table conversation_messages in share row exclusive mode;
  delete from conversation_previews;
  insert into conversation_previews
  select c.id, newest.id, newest.created_at, conversation_preview_content(newest.content)
  from conversations as c
  cross join lateral (
    select m.id, m.created_at, m.content
    from conversation_messages as m
    where m.conversation_id = c.id
    order by m.created_at desc, m.id desc
    limit 1
  ) as newest
  order by c.id;
end
$$;

comment on function rebuild_conversation_previews is
  'Finds the newest message of every conversation again. Blocks writers of messages until it commits.';

drop function conversation_preview_content(text);

create function conversation_preview_content(content text) returns text
language sql immutable strict parallel safe
return case when octet_length(content) <= 1000 then content end;

comment on function conversation_preview_content is 'The text of a message if it is short enough to be kept twice.';

alter table conversation_previews
drop column list_counts,
drop column unread_count,
alter column content type text using content #>> '{}';

comment on table conversation_previews is
  'The newest message of each conversation that has one. Maintained by triggers of conversation_messages.';
comment on column conversation_previews.content is
  'What the message says; null if that is long. Then only the message has it.';

alter table conversations drop column list_fields;

drop function conversation_list_counts(timestamptz, integer);
drop function conversation_list_fields(text, text, text, text, text, timestamptz, timestamptz);
drop function list_time(timestamptz);
