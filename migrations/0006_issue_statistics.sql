-- Whole-table aggregates come from counters: a scan of a million issues takes a second or two.
--
-- A writer only appends what its statement changed to issue_count_deltas, and what is read is counters
-- plus deltas, in one snapshot. Appending takes no lock that another writer waits for, so issues can be
-- written in any order, by any number of transactions, without waiting or deadlock. Now and then a writer
-- folds the deltas into the counters; at most one folds at a time, the others pass by.

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
  width text not null check (width in ('second', 'minute', 'hour', 'day')),
  starts_at timestamptz not null,
  severity text not null,
  severity_digest bytea not null generated always as (text_digest(severity)) stored,
  count bigint not null,
  primary key (width, starts_at, severity_digest)
) with (fillfactor = 50);

comment on table issue_buckets is
  'Issues per severity and UTC hour, and again per UTC day of created_at, without issue_count_deltas. Of the hours and minutes in issue_bucket_splits, also per minute and second.';

-- The hour that holds the edge of a window is read issue by issue, which is slow after thousands of reports within an hour.
-- So an hour with many issues is split: its issues are also counted by minute, and those of a minute with many by second.
-- Most hours have few issues and stay whole, which keeps the table small.
--
-- A fold only asks for a split. The split is made at the end of the folding transaction, when every change of the
-- transaction has its delta: in the middle of a statement with several parts, as an upsert is, some have none yet.
create table issue_bucket_splits (
  width text not null check (width in ('hour', 'minute')),
  starts_at timestamptz not null,
  is_filled boolean not null default false,
  primary key (width, starts_at)
);

comment on table issue_bucket_splits is
  'Hours of issue_buckets whose minutes are counted too, and minutes whose seconds are. Without is_filled, they are not yet.';

-- A split subtracts the deltas that it finds, and folding adds them again. So the sums are right for every minute and second
-- of the hour.
create table issue_count_deltas (
  severity text not null,
  status text not null,
  category text not null,
  hour_starts_at timestamptz not null,
  change bigint not null,
  second_starts_at timestamptz not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table issue_count_deltas is
  'Changes not yet folded into issue_totals and issue_buckets: signed numbers of issues. Deleted by folding, so vacuumed early.';

-- The pages of deltas that were folded after a large import stay, empty, until new ones fill them. All reads of the table
-- have a condition on the hour, so that they go by this index instead of through the empty pages.
create index issue_count_deltas_hour_starts_at_idx on issue_count_deltas (hour_starts_at);

-- Two calls would wait for each other's counter rows, so a call returns at once if another one is folding. The lock is
-- taken in a statement before the delete, so that the snapshot of the delete sees all that the previous call did. Under
-- repeatable read the snapshot is older than the lock and the delete could fail, so nothing is folded there.
create function fold_issue_count_deltas() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  hours timestamptz[];
  minutes timestamptz[];
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('issue_count_deltas'::regclass::oid::bigint)
  then
    return;
  end if;

  with folded as (
    delete from issue_count_deltas where hour_starts_at >= '-infinity'
    returning severity, status, category, hour_starts_at, second_starts_at, change
  ),
  total_changes as (
    select severity, status, category, sum(change) as change from folded group by 1, 2, 3
  ),
  totals as (
    insert into issue_totals (dimension, key, count)
    select part.dimension, part.key, sum(change)
    from total_changes
    cross join lateral (
      values ('severity', severity), ('status', status), ('category', category)
    ) as part (dimension, key)
    group by part.dimension, part.key
    having sum(change) <> 0
    on conflict (dimension, key_digest) do update set count = issue_totals.count + excluded.count
  ),
  hour_changes as (
    select hour_starts_at, severity, sum(change) as change from folded group by 1, 2
  ),
  minute_changes as (
    select date_trunc('minute', second_starts_at, 'UTC') as minute_starts_at, second_starts_at, severity,
      sum(change) as change
    from folded
    join issue_bucket_splits as split
      on split.width = 'hour' and split.starts_at = hour_starts_at and split.is_filled
    group by second_starts_at, severity
  ),
  part_changes (width, starts_at, severity, change) as (
    select 'day', date_trunc('day', hour_starts_at, 'UTC'), severity, change from hour_changes
    union all
    select 'hour', hour_starts_at, severity, change from hour_changes
    union all
    select 'minute', minute_starts_at, severity, change from minute_changes
    union all
    select 'second', second_starts_at, severity, change
    from minute_changes
    join issue_bucket_splits as split
      on split.width = 'minute' and split.starts_at = minute_starts_at and split.is_filled
  ),
  buckets as (
    insert into issue_buckets (width, starts_at, severity, count)
    select width, starts_at, severity, sum(change)
    from part_changes
    group by width, starts_at, severity
    having sum(change) <> 0
    on conflict (width, starts_at, severity_digest) do update set count = issue_buckets.count + excluded.count
    returning width, starts_at
  )
  select
    array_agg(distinct starts_at) filter (where width = 'hour'),
    array_agg(distinct starts_at) filter (where width = 'minute')
  into hours, minutes
  from buckets;

  if hours is not null then
    perform split_large_issue_buckets('hour', hours);
  end if;
  if minutes is not null then
    perform split_large_issue_buckets('minute', minutes);
  end if;
end
$$;

comment on function fold_issue_count_deltas is
  'Moves the deltas into the counters; does nothing while another transaction does it.';

-- A few hundred issues are read about as fast as their counters.
create function split_large_issue_buckets(bucket_width text, bucket_starts timestamptz[]) returns void
language sql
security definer
set search_path = public, pg_temp
as $$
  insert into issue_bucket_splits (width, starts_at)
  select width, starts_at
  from issue_buckets
  where width = bucket_width and starts_at = any (bucket_starts) and isfinite(starts_at)
  group by width, starts_at
  having sum(count) > 250
  on conflict do nothing
$$;

comment on function split_large_issue_buckets is
  'Asks for the split of those of the given hours or minutes that have many issues.';

-- Counts the parts of an hour or a minute. One statement reads the issues and the deltas, so that an issue of a
-- transaction that commits meanwhile is in both or in neither.
create function fill_issue_bucket_split() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  part constant text := case new.width when 'hour' then 'minute' else 'second' end;
  ends_at constant timestamptz := new.starts_at + ('1 ' || new.width)::interval;
begin
  update issue_bucket_splits set is_filled = true
  where width = new.width and starts_at = new.starts_at and not is_filled;
  if not found then
    return null; -- The table was truncated after the fold.
  end if;

  insert into issue_buckets (width, starts_at, severity, count)
  select part, date_trunc(part, changed_at, 'UTC'), severity, sum(change)
  from (
    select severity, created_at as changed_at, 1 as change
    from issues
    where created_at >= new.starts_at and created_at < ends_at
    union all
    select severity, second_starts_at, -change
    from issue_count_deltas
    where hour_starts_at = date_trunc('hour', new.starts_at, 'UTC')
      and second_starts_at >= new.starts_at and second_starts_at < ends_at
  ) as changed
  group by 2, severity
  having sum(change) <> 0;

  if part = 'minute' then
    perform split_large_issue_buckets('minute', array(
      select distinct starts_at
      from issue_buckets
      where width = 'minute' and starts_at >= new.starts_at and starts_at < ends_at
    ));
  end if;
  return null;
end
$$;

comment on function fill_issue_bucket_split is 'Counts the minutes of an hour, or the seconds of a minute.';

create constraint trigger issue_bucket_splits_fill
after insert on issue_bucket_splits
deferrable initially deferred
for each row execute function fill_issue_bucket_split();

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
    insert into issue_count_deltas (severity, status, category, hour_starts_at, second_starts_at, change)
    select
      severity, status, category,
      date_trunc('hour', created_at, 'UTC'), date_trunc('second', created_at, 'UTC'), count(*)
    from new_rows
    group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into issue_count_deltas (severity, status, category, hour_starts_at, second_starts_at, change)
    select
      severity, status, category,
      date_trunc('hour', created_at, 'UTC'), date_trunc('second', created_at, 'UTC'), -count(*)
    from old_rows
    group by 1, 2, 3, 4, 5;
  else
    insert into issue_count_deltas (severity, status, category, hour_starts_at, second_starts_at, change)
    select
      severity, status, category,
      date_trunc('hour', created_at, 'UTC'), date_trunc('second', created_at, 'UTC'), sum(change)
    from (
      select severity, status, category, created_at, 1 as change from new_rows
      union all
      select severity, status, category, created_at, -1 from old_rows
    ) as changed
    group by 1, 2, 3, 4, 5
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
  delete from issue_bucket_splits;
  return null;
end
$$;

comment on function issues_clear_counts is 'Statement trigger: a truncated table has no issues to count.';

create trigger issues_count_truncate
after truncate on issues
for each statement execute function issues_clear_counts();

-- For rows that were written without the triggers (session_replication_role = replica). The lock waits for the writes and
-- the folding that are under way, and keeps new writers out.
--
-- Counting by hour is enough here: the fold asks for the splits.
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
  delete from issue_bucket_splits;

  insert into issue_count_deltas (severity, status, category, hour_starts_at, second_starts_at, change)
  select severity, status, category, hour_starts_at, hour_starts_at, count(*)
  from (
    select severity, status, category, date_trunc('hour', created_at, 'UTC') as hour_starts_at
    from issues
  ) as hourly
  group by 1, 2, 3, 4;
  perform fold_issue_count_deltas();
end
$$;

comment on function rebuild_issue_counters is 'Counts every issue again; writers of issues wait meanwhile.';

revoke execute on function
  fold_issue_count_deltas(), split_large_issue_buckets(text, timestamptz[]), fill_issue_bucket_split(),
  issues_append_count_deltas(), issues_clear_counts(), rebuild_issue_counters()
from public;

-- The answer of GET /api/admin/issues?period=… as JSON text. Stable, so that everything in it is read in
-- the one snapshot of the calling query; plpgsql, so that the plan stays cached in the connection.
--
-- Issues since a time x = whole UTC days after x's day + whole hours left of that day + the rest of x's hour. Of a whole
-- hour, the rest is read issue by issue, by index. Of a split hour, it is the whole minutes left, and the issues left in
-- x's minute; likewise for a split minute.
--
-- A label's count is the number since its edge less the number since the edge before it. An unrestricted window begins at
-- -infinity, whose hour and day are -infinity too. Deltas are read once: many dead rows may lie between them until the next
-- vacuum. Edges are 24-hour steps back from now, in hours, so that no session time zone's clock change moves them.
create function issue_statistics(period text) returns text
language plpgsql stable
set search_path = public, pg_temp
as $$
declare
  now_at constant timestamptz := statement_timestamp();
  window_starts_at constant timestamptz := case period
    when 'hourly' then now_at - interval '24 hours'
    when 'daily' then now_at - 30 * interval '24 hours'
    when 'weekly' then now_at - 84 * interval '24 hours'
    when 'monthly' then now_at - 365 * interval '24 hours'
    else '-infinity'
  end;
  answer text;
begin
  with deltas as materialized (
    select severity, status, category, second_starts_at, sum(change) as change
    from issue_count_deltas
    where hour_starts_at >= '-infinity'
    group by 1, 2, 3, 4
  ),
  totals as materialized (
    select dimension, key, sum(count) as count
    from (
      select dimension, key, count from issue_totals
      union all
      select part.dimension, part.key, deltas.change
      from deltas
      cross join lateral (
        values ('severity', deltas.severity), ('status', deltas.status), ('category', deltas.category)
      ) as part (dimension, key)
    ) as part
    group by dimension, key
    having sum(count) <> 0
  ),
  edges as materialized (
    select
      step,
      label,
      edge.starts_at,
      case
        when exists (
          select from issue_bucket_splits as split
          where split.width = 'minute' and split.starts_at = edge_minute and split.is_filled
        ) then date_trunc('second', edge.starts_at, 'UTC') + interval '1 second'
        when exists (
          select from issue_bucket_splits as split
          where split.width = 'hour' and split.starts_at = edge_hour and split.is_filled
        ) then edge_minute + interval '1 minute'
        else edge_hour + interval '1 hour'
      end as counters_start_at,
      edge_minute + interval '1 minute' as minutes_start_at,
      edge_hour + interval '1 hour' as hours_start_at,
      date_trunc('day', edge.starts_at, 'UTC') + interval '24 hours' as days_start_at
    from (
      values
        (1, 'Last Hour', now_at - interval '1 hour'),
        (2, 'Last 24h', now_at - interval '24 hours'),
        (3, 'Last 7 Days', now_at - 7 * interval '24 hours'),
        (4, 'Older', window_starts_at)
    ) as edge (step, label, starts_at)
    cross join lateral (
      select
        date_trunc('minute', edge.starts_at, 'UTC') as edge_minute,
        date_trunc('hour', edge.starts_at, 'UTC') as edge_hour
    ) as within
    where edge.starts_at >= window_starts_at
  ),
  since_edges as (
    select edges.step, edges.label, part.severity, sum(part.count) as count
    from edges
    cross join lateral (
      select severity, count
      from issue_buckets
      where width = 'day' and starts_at >= edges.days_start_at
      union all
      select severity, count
      from issue_buckets
      where width = 'hour' and starts_at >= edges.hours_start_at and starts_at < edges.days_start_at
      union all
      select severity, count
      from issue_buckets
      where width = 'minute' and starts_at >= edges.minutes_start_at and starts_at < edges.hours_start_at
      union all
      select severity, count
      from issue_buckets
      where width = 'second' and starts_at >= edges.counters_start_at and starts_at < edges.minutes_start_at
      union all
      select severity, change from deltas where second_starts_at >= edges.counters_start_at
      union all
      select severity, count(*)
      from issues
      where created_at >= edges.starts_at and created_at < edges.counters_start_at
      group by severity
    ) as part
    group by edges.step, edges.label, part.severity
  ),
  labelled as (
    select
      label,
      severity,
      count - lag(count, 1, 0) over (partition by severity order by step) as count
    from since_edges
  )
  select json_build_object(
    'severityData', (
      select coalesce(json_agg(
        json_build_object('period_label', label, 'severity', severity, 'count', count)
        order by label collate "C", severity collate "C"
      ), '[]')
      from labelled
      where count <> 0
    ),
    'severityTotals', (
      select coalesce(json_agg(
        json_build_object('severity', key, 'count', count) order by key collate "C"
      ), '[]')
      from totals
      where dimension = 'severity'
    ),
    'statusCounts', (
      select coalesce(json_agg(
        json_build_object('status', key, 'count', count) order by key collate "C"
      ), '[]')
      from totals
      where dimension = 'status'
    ),
    'categoryCounts', (
      select coalesce(json_agg(
        json_build_object('category', key, 'count', count) order by key collate "C"
      ), '[]')
      from totals
      where dimension = 'category'
    ),
    'totalIssues', (select coalesce(sum(count), 0) from totals where dimension = 'severity')
  )::text
  into answer;
  return answer;
end
$$;

comment on function issue_statistics is
  'Counts of issues as JSON text; period restricts severityData: hourly, daily, weekly, monthly, else nothing.';
