-- Up Migration

-- The newest message of each conversation, so that a list finds it without a probe of the messages for each row. It has a
-- table of its own, whose rows are locked after those of the conversations and of the messages: a plain UPDATE or DELETE of
-- messages locks these first, and would deadlock with the service if it then had to wait for a conversation.
create table conversation_previews (
  conversation_id text primary key,
  message_id bigint not null,
  message_at timestamptz(3) not null,
  content text
) with (fillfactor = 70);

comment on table conversation_previews is
  'The newest message of each conversation that has one. Maintained by triggers of conversation_messages.';
comment on column conversation_previews.content is
  'What the message says; null if that is long. Then only the message has it.';

-- Longer texts would be compressed and stored twice. They are read by the id of their message.
create function conversation_preview_content(content text) returns text
language sql immutable strict parallel safe
return case when octet_length(content) <= 1000 then content end;

comment on function conversation_preview_content is 'The text of a message if it is short enough to be kept twice.';

-- Every insert writes the previews of its conversations, also if its messages are older. So a deletion that looks for the
-- newest message that is left waits for it and then sees its messages, or fails if its snapshot is older.
create function conversation_messages_add_previews() returns trigger
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

-- Locks the previews in the order of their ids. The statements after that see what the holders of the locks committed.
create function refresh_conversation_previews(ids text[]) returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform from conversation_previews where conversation_id = any(ids) order by conversation_id for update;
  -- Messages that were moved to a conversation that had none. Another transaction may add its first one meanwhile.
  insert into conversation_previews
  select m.conversation_id, max(m.id), max(m.created_at)
  from conversation_messages as m
  where m.conversation_id = any(ids)
    and not exists (select from conversation_previews as p where p.conversation_id = m.conversation_id)
  group by m.conversation_id
  order by m.conversation_id
  on conflict (conversation_id) do update set message_id = excluded.message_id;
  update conversation_previews as preview
  set message_id = newest.id, message_at = newest.created_at, content = conversation_preview_content(newest.content)
  from unnest(ids) as given (id)
  cross join lateral (
    select m.id, m.created_at, m.content
    from conversation_messages as m
    where m.conversation_id = given.id
    order by m.created_at desc, m.id desc
    limit 1
  ) as newest
  where preview.conversation_id = given.id;
  delete from conversation_previews as preview
  where preview.conversation_id = any(ids)
    and not exists (select from conversation_messages as m where m.conversation_id = preview.conversation_id);
end
$$;

comment on function refresh_conversation_previews is 'Sets the previews of conversations by their messages.';

-- For each row, because only such a trigger can name columns: an update of a status or a draft does nothing here.
create function conversation_messages_change_preview() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform refresh_conversation_previews(array[old.conversation_id, new.conversation_id]);
  return null;
end
$$;

-- Deletes after a truncate too: a list that has read a preview and now waits for the truncated messages would deadlock with a
-- truncate of the previews.
create function conversation_messages_remove_previews() returns trigger
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

create function rebuild_conversation_previews() returns void
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

revoke execute on function
  conversation_messages_add_previews(), refresh_conversation_previews(text[]), conversation_messages_change_preview(),
  conversation_messages_remove_previews(), rebuild_conversation_previews()
from public;

-- What is written until the triggers exist would be missing: this keeps its lock on the messages.
select rebuild_conversation_previews();

create trigger conversation_messages_add_previews
after insert on conversation_messages
referencing new table as new_rows
for each statement execute function conversation_messages_add_previews();

create trigger conversation_messages_change_preview
after update of id, conversation_id, content, created_at on conversation_messages
for each row when (
  (old.id, old.conversation_id, old.content, old.created_at)
  is distinct from (new.id, new.conversation_id, new.content, new.created_at)
)
execute function conversation_messages_change_preview();

create trigger conversation_messages_remove_previews
after delete on conversation_messages
referencing old table as gone
for each statement execute function conversation_messages_remove_previews();

create trigger conversation_messages_remove_all_previews
after truncate on conversation_messages
for each statement execute function conversation_messages_remove_previews();

-- Down Migration

drop trigger conversation_messages_remove_all_previews on conversation_messages;
drop trigger conversation_messages_remove_previews on conversation_messages;
drop trigger conversation_messages_change_preview on conversation_messages;
drop trigger conversation_messages_add_previews on conversation_messages;
drop function rebuild_conversation_previews();
drop function conversation_messages_remove_previews();
drop function conversation_messages_change_preview();
drop function refresh_conversation_previews(text[]);
drop function conversation_messages_add_previews();
drop table conversation_previews;
drop function conversation_preview_content(text);
