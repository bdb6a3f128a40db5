-- Up Migration

-- Whole-table aggregates come from counters: a scan of a million issues takes a second or two.
--
-- A writer only appends what its statement changed to issue_count_deltas, and what is read is counters
-- plus deltas, in one snapshot. Appending takes no lock that another writer waits for, so issues can be
-- written in any order, by any number of transactions, without waiting or deadlock. Now and then a writer
-- folds the deltas into the counters; at most one folds at a time, the others pass by.

-- Free text has no limit of length, an index row has. convert_to() is only marked stable; for a given
-- database, whose encoding never changes, this is immutable.
create function text_digest(value text) returns bytea
language sql immutable strict parallel safe
as $$ select sha256(convert_to(value, 'UTF8')) $$;

comment on function text_digest is 'SHA-256 of a text, a key for an index on text of any length.';

create table issue_totals (
  dimension text not null check (dimension in ('severity', 'status', 'category')),
  key text not null,
  key_digest bytea not null generated always as (text_digest(key)) stored,
  count bigint not null,
  primary key (dimension, key_digest)
) with (fillfactor = 50);

comment on table issue_totals is
  'Issues of all time by severity, by status and by category, without issue_count_deltas. Half-filled pages let an update stay on its page.';

create table issue_buckets (
  width text not null check (width in ('hour', 'day')),
  starts_at timestamptz not null,
  severity text not null,
  severity_digest bytea not null generated always as (text_digest(severity)) stored,
  count bigint not null,
  primary key (width, starts_at, severity_digest)
) with (fillfactor = 50);

comment on table issue_buckets is
  'Issues per severity and UTC hour, and again per UTC day of created_at, without issue_count_deltas.';

create table issue_count_deltas (
  severity text not null,
  status text not null,
  category text not null,
  hour_starts_at timestamptz not null,
  change bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table issue_count_deltas is
  'Changes not yet folded into issue_totals and issue_buckets: signed numbers of issues. Deleted by folding, so vacuumed early.';

-- Two folders would wait for each other's counter rows, so whoever finds another at work leaves. The
-- lock is taken in a statement before the delete, whose snapshot then sees all that the last folder did;
-- under repeatable read the snapshot is older than the lock, and the delete could fail: no folding there.
create function fold_issue_count_deltas() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('issue_count_deltas'::regclass::oid::bigint)
  then
    return;
  end if;

  with folded as (
    delete from issue_count_deltas returning severity, status, category, hour_starts_at, change
  ),
  totals as (
    insert into issue_totals (dimension, key, count)
    select part.dimension, part.key, sum(folded.change)
    from folded
    cross join lateral (
      values ('severity', folded.severity), ('status', folded.status), ('category', folded.category)
    ) as part (dimension, key)
    group by part.dimension, part.key
    having sum(folded.change) <> 0
    on conflict (dimension, key_digest) do update set count = issue_totals.count + excluded.count
  )
  insert into issue_buckets (width, starts_at, severity, count)
  select part.width, part.starts_at, folded.severity, sum(folded.change)
  from folded
  cross join lateral (
    values ('hour', folded.hour_starts_at), ('day', date_trunc('day', folded.hour_starts_at, 'UTC'))
  ) as part (width, starts_at)
  group by part.width, part.starts_at, folded.severity
  having sum(folded.change) <> 0
  on conflict (width, starts_at, severity_digest) do update set count = issue_buckets.count + excluded.count;
end
$$;

comment on function fold_issue_count_deltas is
  'Moves the deltas into the counters; does nothing while another transaction does it.';

-- Changes that cancel out are not appended, so an update of a title or a description leaves no trace.
-- Folding falls on a statement with the chance (rows it appended) / 256: about 256 rows wait at a time,
-- few enough for a reader to add up, and a bulk load folds what it appended at once.
create function issues_append_count_deltas() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  appended bigint;
begin
  if tg_op = 'INSERT' then
    insert into issue_count_deltas (severity, status, category, hour_starts_at, change)
    select severity, status, category, date_trunc('hour', created_at, 'UTC'), count(*)
    from new_rows
    group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into issue_count_deltas (severity, status, category, hour_starts_at, change)
    select severity, status, category, date_trunc('hour', created_at, 'UTC'), -count(*)
    from old_rows
    group by 1, 2, 3, 4;
  else
    insert into issue_count_deltas (severity, status, category, hour_starts_at, change)
    select severity, status, category, date_trunc('hour', created_at, 'UTC'), sum(change)
    from (
      select severity, status, category, created_at, 1 as change from new_rows
      union all
      select severity, status, category, created_at, -1 from old_rows
    ) as changed
    group by 1, 2, 3, 4
    having sum(change) <> 0;
  end if;

  get diagnostics appended = row_count;
  if random() * 256 < appended then
    perform fold_issue_count_deltas();
  end if;
  return null;
end
$$;

comment on function issues_append_count_deltas is 'Statement trigger: appends what the statement changed in the counts.';

create trigger issues_count_inserts
after insert on issues referencing new table as new_rows
for each statement execute function issues_append_count_deltas();

create trigger issues_count_updates
after update on issues referencing old table as old_rows new table as new_rows
for each statement execute function issues_append_count_deltas();

create trigger issues_count_deletes
after delete on issues referencing old table as old_rows
for each statement execute function issues_append_count_deltas();

-- Deletes rather than truncates: a reader that has read a counter and now waits for the truncated issues
-- would deadlock with a truncate of the counters.
create function issues_clear_counts() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from issue_count_deltas;
  delete from issue_totals;
  delete from issue_buckets;
  return null;
end
$$;

comment on function issues_clear_counts is 'Statement trigger: a truncated table has no issues to count.';

create trigger issues_count_truncate
after truncate on issues
for each statement execute function issues_clear_counts();

-- For rows that came in past the triggers (session_replication_role = replica). The lock keeps writers
-- out, and waits for those that are under way, so it also waits for whoever is folding.
create function rebuild_issue_counters() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  lock table issues in share row exclusive mode;
  perform pg_advisory_xact_lock('issue_count_deltas'::regclass::oid::bigint);

  delete from issue_count_deltas;
  delete from issue_totals;
  delete from issue_buckets;

  insert into issue_count_deltas (severity, status, category, hour_starts_at, change)
  select severity, status, category, date_trunc('hour', created_at, 'UTC'), count(*)
  from issues
  group by 1, 2, 3, 4;
  perform fold_issue_count_deltas();
end
$$;

comment on function rebuild_issue_counters is 'Counts every issue again; writers of issues wait meanwhile.';

select rebuild_issue_counters();

-- Down Migration

drop trigger issues_count_inserts on issues;
drop trigger issues_count_updates on issues;
drop trigger issues_count_deletes on issues;
drop trigger issues_count_truncate on issues;
drop function issues_append_count_deltas();
drop function issues_clear_counts();
drop function rebuild_issue_counters();
drop function fold_issue_count_deltas();
drop table issue_count_deltas;
drop table issue_buckets;
drop table issue_totals;
drop function text_digest(text);
