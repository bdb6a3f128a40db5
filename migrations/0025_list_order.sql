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

-- Severities are ordered by what they mean. Others are below Low.
create function issue_severity_rank(severity text) returns integer
language sql immutable strict parallel safe
return case severity when 'Low' then 1 when 'Medium' then 2 when 'High' then 3 when 'Critical' then 4 else 0 end;

comment on function issue_severity_rank is 'The place of a severity in the order of lists: 4 for Critical, 0 for words of one''s own.';

-- The other orders of the lists. Each index makes every change of an issue dearer, so there is none by status, which lists
-- are rather filtered by.
create index issues_updated_at_id_idx on issues (updated_at desc, id desc);
create index issues_severity_rank_id_idx on issues (issue_severity_rank(severity) desc, id desc);
create index conversations_created_at_id_idx on conversations (created_at desc, id desc);

-- The version of a table is a number that is another one after each statement that changes the table, so a client can be
-- told that a list is still the same without reading it. It is the exclusive or of a random number for each committed
-- statement: a fingerprint of the set of those statements, which a number that only grows would not be, because
-- transactions commit in another order than they write. A backup that is restored has the versions of its own data, and
-- so has a replica.
--
-- As for the counters of issues, a writer only appends a row, which nobody waits for, and now and then one folds the rows
-- into the versions.
create table table_versions (
  table_name text primary key,
  version bigint not null
);

comment on table table_versions is 'The version of each table that lists show, without table_version_changes.';

create table table_version_changes (
  table_name text not null,
  change bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table table_version_changes is
  'A random number for each statement that changed a table, not yet folded into table_versions. Vacuumed early.';

-- One at a time, and only where the snapshot is newer than the lock: see fold_issue_count_deltas.
create function fold_table_versions() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('table_version_changes'::regclass::oid::bigint)
  then
    return;
  end if;
  with folded as (
    delete from table_version_changes returning table_name, change
  )
  insert into table_versions (table_name, version)
  select table_name, bit_xor(change) from folded group by table_name
  on conflict (table_name) do update set version = table_versions.version # excluded.version;
end
$$;

comment on function fold_table_versions is
  'Moves the changes into the versions; does nothing while another transaction does it.';

-- Not random(), which a session can seed: the same number twice would undo the first.
create function change_table_version() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into table_version_changes (table_name, change)
  values (tg_table_name, hashtextextended(gen_random_uuid()::text, 0));
  if random() * 64 < 1 then
    perform fold_table_versions();
  end if;
  return null;
end
$$;

comment on function change_table_version is 'Statement trigger: gives the table another version if the statement changed a row.';

revoke execute on function fold_table_versions(), change_table_version() from public;

-- Always: also while session_replication_role is replica, as in some imports.
do $$
declare
  listed name;
begin
  foreach listed in array array[
    'issues', 'conversations', 'conversation_messages', 'issue_links', 'admins', 'audit_records', 'webhook_deliveries',
    'scraping_runs', 'scraping_errors', 'comments', 'changes', 'issue_history'
  ] loop
    execute format(
      $sql$
        create trigger %1$I after insert on %5$I referencing new table as changed
        for each statement execute function change_table_version();
        create trigger %2$I after update on %5$I referencing new table as changed
        for each statement execute function change_table_version();
        create trigger %3$I after delete on %5$I referencing old table as changed
        for each statement execute function change_table_version();
        create trigger %4$I after truncate on %5$I
        for each statement execute function change_table_version();
        alter table %5$I enable always trigger %1$I;
        alter table %5$I enable always trigger %2$I;
        alter table %5$I enable always trigger %3$I;
        alter table %5$I enable always trigger %4$I;
      $sql$,
      listed || '_version_inserts', listed || '_version_updates', listed || '_version_deletes',
      listed || '_version_truncate', listed
    );
  end loop;
end
$$;

-- Down Migration

drop function change_table_version() cascade;
drop function fold_table_versions();
drop table table_version_changes;
drop table table_versions;

drop index conversations_created_at_id_idx;
drop index issues_severity_rank_id_idx;
drop index issues_updated_at_id_idx;
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
