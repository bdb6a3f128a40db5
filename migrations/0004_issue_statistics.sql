-- Up Migration

-- The answer of GET /api/admin/issues?period=… as JSON text. Stable, so that everything in it is read in
-- the one snapshot of the calling query; plpgsql, so that the plan stays cached in the connection.
--
-- Issues since a time x = whole UTC days after x's day + whole hours left of that day + issues left in
-- x's hour, read by index. A label's count is the number since its edge less the number since the edge
-- before it. An unrestricted window begins at -infinity, whose hour and day are -infinity too. Deltas are
-- read once: many dead rows may lie between them until the next vacuum.
-- Edges are 24-hour steps back from now, in hours, so that no session time zone's clock change moves them.
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
    select severity, status, category, hour_starts_at, sum(change) as change
    from issue_count_deltas
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
  edges as (
    select
      step,
      label,
      starts_at,
      date_trunc('hour', starts_at, 'UTC') + interval '1 hour' as hours_start_at,
      date_trunc('day', starts_at, 'UTC') + interval '24 hours' as days_start_at
    from (
      values
        (1, 'Last Hour', now_at - interval '1 hour'),
        (2, 'Last 24h', now_at - interval '24 hours'),
        (3, 'Last 7 Days', now_at - 7 * interval '24 hours'),
        (4, 'Older', window_starts_at)
    ) as edge (step, label, starts_at)
    where starts_at >= window_starts_at
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
      select severity, change from deltas where hour_starts_at >= edges.hours_start_at
      union all
      select severity, count(*)
      from issues
      where created_at >= edges.starts_at and created_at < edges.hours_start_at
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

-- Down Migration

drop function issue_statistics(text);
