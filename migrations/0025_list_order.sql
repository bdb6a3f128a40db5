-- Up Migration

-- Answers show milliseconds. Lists are ordered by time and then by id, so rows that show the same time are in the order
-- of their ids only if the database keeps no more than it shows. By the column's type, so that rows of plain SQL are too.
-- Existing times are cut, not rounded: a rounded time could move to another hour than the one that counts it.
--
-- Postgres refuses to change the type of a column that a trigger names, so such triggers are made again.
create function set_time_precision(of_table regclass, columns text[], type_name text) returns void
language plpgsql
as $$
declare
  trigger_name name;
  definition text;
  definitions text[] := '{}';
begin
  for trigger_name, definition in
    select distinct tgname, pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger
    join pg_depend on classid = 'pg_trigger'::regclass and objid = pg_trigger.oid and refobjid = tgrelid
    join pg_attribute on attrelid = tgrelid and attnum = refobjsubid and attname = any (columns)
    where tgrelid = of_table and not tgisinternal
    order by tgname
  loop
    definitions := definitions || definition;
    execute format('drop trigger %I on %s', trigger_name, of_table);
  end loop;
  execute format('alter table %s ', of_table) || (
    select string_agg(
      format('alter column %1$I type %2$s using date_trunc(''milliseconds'', %1$I)', column_name, type_name), ', '
    )
    from unnest(columns) as column_name
  );
  foreach definition in array definitions loop
    execute definition;
  end loop;
end
$$;

select set_time_precision(list_table, columns, 'timestamptz(3)')
from (
  values
    ('issues'::regclass, array['created_at', 'updated_at']),
    ('conversations', array['created_at', 'updated_at']),
    ('conversation_messages', array['created_at']),
    ('issue_links', array['created_at']),
    ('admins', array['created_at']),
    ('audit_records', array['created_at']),
    ('webhook_deliveries', array['created_at']),
    ('scraping_runs', array['started_at', 'finished_at']),
    ('scraping_errors', array['occurred_at']),
    ('token_alerts', array['triggered_at'])
) as ordered (list_table, columns);

-- Several changes may fall into one millisecond: the time that the service sets may be that of the row already, and the
-- transaction may have started before the last change of the row. A time never goes back, unless it is in the future.
create or replace function refresh_updated_at() returns trigger
language plpgsql
as $$
begin
  new.updated_at := case when old.updated_at < clock_timestamp() then greatest(now(), old.updated_at) else now() end;
  return new;
end
$$;

-- Words are ordered by what they mean. Other severities are below Low.
create function issue_severity_rank(severity text) returns integer
language sql immutable strict parallel safe
return coalesce(array_position(array['Low', 'Medium', 'High', 'Critical'], severity), 0);

comment on function issue_severity_rank is 'The place of a severity in the order of lists: 4 for Critical, 0 for words of one''s own.';

create function issue_status_rank(status text) returns integer
language sql immutable strict parallel safe
return coalesce(array_position(array['Open', 'In Progress', 'Resolved', 'Closed'], status), 0);

comment on function issue_status_rank is 'The place of a status in the order of lists, from 1 for Open to 4 for Closed.';

-- The other orders of the lists.
create index issues_updated_at_id_idx on issues (updated_at desc, id desc);
create index issues_severity_rank_id_idx on issues (issue_severity_rank(severity) desc, id desc);
create index issues_status_rank_id_idx on issues (issue_status_rank(status) desc, id desc);
create index conversations_created_at_id_idx on conversations (created_at desc, id desc);

-- Down Migration

drop index conversations_created_at_id_idx;
drop index issues_status_rank_id_idx;
drop index issues_severity_rank_id_idx;
drop index issues_updated_at_id_idx;
drop function issue_status_rank(text);
drop function issue_severity_rank(text);

create or replace function refresh_updated_at() returns trigger
language plpgsql
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

select set_time_precision(list_table, columns, 'timestamptz')
from (
  values
    ('issues'::regclass, array['created_at', 'updated_at']),
    ('conversations', array['created_at', 'updated_at']),
    ('conversation_messages', array['created_at']),
    ('issue_links', array['created_at']),
    ('admins', array['created_at']),
    ('audit_records', array['created_at']),
    ('webhook_deliveries', array['created_at']),
    ('scraping_runs', array['started_at', 'finished_at']),
    ('scraping_errors', array['occurred_at']),
    ('token_alerts', array['triggered_at'])
) as ordered (list_table, columns);

drop function set_time_precision(regclass, text[], text);
