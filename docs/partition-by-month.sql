-- Partitions audit_records or events by month. docs/scaling.md says when, and what to run before.
--
--   psql "$DATABASE_URL" --set table=audit_records --set from=2027-01-01 --file=docs/partition-by-month.sql
--
-- The table becomes the partition of all rows before `from`, the first day of a coming month. 12 months get a partition
-- each, and later rows go to a default partition. Nobody can use the table for a moment.
\set ON_ERROR_STOP on
begin;
set local statement_timeout = 0;
select set_config('partition.table', :'table', true), set_config('partition.from', :'from', true) \g /dev/null

do $$
declare
  name constant text := current_setting('partition.table');
  first constant timestamptz := current_setting('partition.from')::timestamp at time zone 'UTC';
  old constant text := format('%s_before_%s', name, to_char(first at time zone 'UTC', 'YYYY_MM'));
  has_sequence constant boolean := pg_get_serial_sequence(name, 'id') is not null;
  definitions text[];
  part text;
  next_id bigint;
begin
  if first <= now() then
    raise exception 'from must be in the future';
  end if;
  execute format('lock table %I in access exclusive mode', name);
  definitions := array(
    select pg_get_indexdef(indexrelid) from pg_index where indrelid = name::regclass and not indisunique
  ) || array(
    select pg_get_triggerdef(oid) || case tgenabled
      when 'A' then format('; alter table %I enable always trigger %I', name, tgname) else ''
    end
    from pg_trigger where tgrelid = name::regclass and not tgisinternal order by tgname
  );
  for part in select tgname from pg_trigger where tgrelid = name::regclass and not tgisinternal loop
    execute format('drop trigger %I on %I', part, name);
  end loop;
  for part in select relname from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = name::regclass loop
    execute format('alter index %I rename to %I', part, left('old_' || part, 63));
  end loop;

  execute format('alter table %I rename to %I', name, old);
  execute format('create table %I (like %I including all excluding indexes excluding identity) partition by range (created_at)',
    name, old);
  execute format('alter table %I drop constraint if exists %I', name, name || '_before');
  if has_sequence then
    execute format('select coalesce(max(id), 0) + 1 from %I', old) into next_id;
    execute format('alter table %I alter id drop identity', old);
    execute format('create sequence %I start %s owned by %I.id', name || '_id_seq', next_id, name);
    execute format('alter table %I alter id set default nextval(%L)', name, name || '_id_seq');
  end if;
  -- A unique constraint of a partitioned table must contain the column that it is partitioned by.
  execute format('alter table %I add primary key (id, created_at)', name);
  execute format('alter table %I drop constraint %I', old, left('old_' || name || '_pkey', 63));
  execute format('alter table %I add primary key using index %I', old, 'old_' || name || '_id_created_at_key');
  foreach part in array definitions loop
    execute part;
  end loop;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', name, old, first);
  execute format('alter table %I drop constraint if exists %I', old, name || '_before');

  for month in 0..11 loop
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      name || to_char(first at time zone 'UTC' + make_interval(months => month), '_YYYY_MM'), name,
      (first at time zone 'UTC' + make_interval(months => month)) at time zone 'UTC',
      (first at time zone 'UTC' + make_interval(months => month + 1)) at time zone 'UTC');
  end loop;
  execute format('create table %I partition of %I default', name || '_later', name);
end
$$;

commit;
