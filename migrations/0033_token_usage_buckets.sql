-- Up Migration

-- A month of token usage is read per day, and a day has up to 96 quarters of an hour for each provider and model. So the
-- quarters are also summed by UTC hour and by UTC day.
create table token_usage_buckets (
  width text not null check (width in ('hour', 'day')),
  starts_at timestamptz not null,
  provider text not null,
  provider_digest bytea not null generated always as (text_digest(provider)) stored,
  model text not null,
  model_digest bytea not null generated always as (text_digest(model)) stored,
  requests bigint not null,
  failed_requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cached_input_tokens bigint not null,
  primary key (width, starts_at, provider_digest, model_digest)
) with (fillfactor = 80);

comment on table token_usage_buckets is
  'Token usage per UTC hour, and again per UTC day, provider and model, without token_usage_deltas: sums of token_usage_sums.';

-- Only folding changes the sums, and while this lock is held nobody folds: writers append their deltas meanwhile.
select pg_advisory_xact_lock('token_usage_deltas'::regclass::oid::bigint);

insert into token_usage_buckets
  (width, starts_at, provider, model, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens)
select 'hour', date_trunc('hour', starts_at, 'UTC'), provider, model,
  sum(requests), sum(failed_requests), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
from token_usage_sums
group by 2, 3, 4;

insert into token_usage_buckets
  (width, starts_at, provider, model, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens)
select 'day', date_trunc('day', starts_at, 'UTC'), provider, model,
  sum(requests), sum(failed_requests), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
from token_usage_buckets
where width = 'hour'
group by 2, 3, 4;

-- A writer that is in the former fold function already would take its lock after the commit, and leave out the buckets.
lock table token_usage_records in share row exclusive mode;

-- See the versions of tables in the migration of list_order. Here the numbers are part of rows that are written anyway. A
-- statement may add hundreds, and random numbers cost more than the rows: so they are hashes, of a number that differs from
-- those of all other rows and of the time, which differs also after a backup was restored.
create sequence token_usage_changes;
alter table token_usage_deltas add column change bigint not null default
  hashint8extended(nextval('token_usage_changes'), (extract(epoch from clock_timestamp()) * 1000000)::bigint);
alter sequence token_usage_changes owned by token_usage_deltas.change;

comment on column token_usage_deltas.change is
  'The version of the sums is the exclusive or of these, and of those folded into table_versions.';

-- The pages of deltas that were folded after a large import stay, empty, until new ones fill them. All reads of the table
-- have a condition on the time, so that they go by this index instead of through the empty pages.
create index token_usage_deltas_starts_at_idx on token_usage_deltas (starts_at);

create or replace function fold_token_usage_deltas() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('token_usage_deltas'::regclass::oid::bigint)
  then
    return;
  end if;

  with folded as (
    delete from token_usage_deltas where starts_at >= '-infinity'
    returning starts_at, provider, model,
      requests, failed_requests, input_tokens, output_tokens, cached_input_tokens, change
  ),
  versioned as (
    insert into table_versions (table_name, version)
    select 'token_usage_records', bit_xor(change) from folded having count(*) > 0
    on conflict (table_name) do update set version = table_versions.version # excluded.version
  ),
  quarters as materialized (
    select starts_at, provider, model,
      sum(requests) as requests, sum(failed_requests) as failed_requests, sum(input_tokens) as input_tokens,
      sum(output_tokens) as output_tokens, sum(cached_input_tokens) as cached_input_tokens
    from folded
    group by starts_at, provider, model
  ),
  summed as (
    insert into token_usage_sums as sums
      (starts_at, provider, model, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens)
    select starts_at, provider, model, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens
    from quarters
    on conflict (starts_at, provider_digest, model_digest) do update set
      requests = sums.requests + excluded.requests,
      failed_requests = sums.failed_requests + excluded.failed_requests,
      input_tokens = sums.input_tokens + excluded.input_tokens,
      output_tokens = sums.output_tokens + excluded.output_tokens,
      cached_input_tokens = sums.cached_input_tokens + excluded.cached_input_tokens
  )
  insert into token_usage_buckets as buckets
    (width, starts_at, provider, model, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens)
  select part.width, part.starts_at, provider, model,
    sum(requests), sum(failed_requests), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
  from quarters
  cross join lateral (
    values
      ('hour', date_trunc('hour', quarters.starts_at, 'UTC')),
      ('day', date_trunc('day', quarters.starts_at, 'UTC'))
  ) as part (width, starts_at)
  group by part.width, part.starts_at, provider, model
  on conflict (width, starts_at, provider_digest, model_digest) do update set
    requests = buckets.requests + excluded.requests,
    failed_requests = buckets.failed_requests + excluded.failed_requests,
    input_tokens = buckets.input_tokens + excluded.input_tokens,
    output_tokens = buckets.output_tokens + excluded.output_tokens,
    cached_input_tokens = buckets.cached_input_tokens + excluded.cached_input_tokens;
end
$$;

create or replace function token_usage_clear_sums() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from token_usage_deltas where starts_at >= '-infinity';
  delete from token_usage_sums;
  delete from token_usage_buckets;
  -- The version of what is empty now, which no former content has had.
  insert into table_versions (table_name, version)
  values ('token_usage_records', hashtextextended(gen_random_uuid()::text, 0))
  on conflict (table_name) do update set version = excluded.version;
  return null;
end
$$;

create or replace function rebuild_token_usage_sums() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  lock table token_usage_records in share row exclusive mode;
  perform pg_advisory_xact_lock('token_usage_deltas'::regclass::oid::bigint);

  delete from token_usage_deltas where starts_at >= '-infinity';
  delete from token_usage_sums;
  delete from token_usage_buckets;
  -- Also where there is no record to sum.
  insert into table_versions (table_name, version)
  values ('token_usage_records', hashtextextended(gen_random_uuid()::text, 0))
  on conflict (table_name) do update set version = excluded.version;

  insert into token_usage_deltas
  select quarter_hour(occurred_at), provider, model, count(*), count(*) filter (where not succeeded),
    sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
  from token_usage_records
  group by 1, 2, 3;
  perform fold_token_usage_deltas();
end
$$;

-- A day of a time zone is the UTC days from the midnight that is nearest to its start to the one nearest to its end, with
-- what lies between each midnight and the true border: added or left out, by whole hours, and by quarters up to the hour
-- where the border is not one. So in UTC a day is one bucket, and in Berlin that and four hours.
create or replace function token_usage_by_day(
  dates text[], day_starts timestamptz[], range_starts_at timestamptz, range_ends_at timestamptz
)
returns table (
  date text, provider text, model text,
  requests numeric, failed_requests numeric, input_tokens numeric, output_tokens numeric, cached_input_tokens numeric
)
language plpgsql stable
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  with border as materialized (
    select day::integer as day, at, midnight,
      -- The whole hour between both that is next to the border.
      case
        when at <= midnight then date_trunc('hour', at + interval '59 minutes 59.999999 seconds', 'UTC')
        else date_trunc('hour', at, 'UTC')
      end as hour
    from (
      select day, at, date_trunc('day', at + interval '12 hours', 'UTC') as midnight
      from unnest(day_starts || range_ends_at) with ordinality as listed (at, day)
    ) as nearest
  ),
  whole_days as (
    select day, midnight as starts_at, lead(midnight) over (order by day) as ends_at from border
  ),
  kept as (
    select whole_days.day, 1 as sign, part.*
    from whole_days
    -- The offset keeps the planner from reading all buckets once for all ranges.
    cross join lateral (
      select buckets.provider, buckets.model, buckets.requests, buckets.failed_requests,
        buckets.input_tokens, buckets.output_tokens, buckets.cached_input_tokens
      from token_usage_buckets as buckets
      where buckets.width = 'day'
        and buckets.starts_at >= whole_days.starts_at and buckets.starts_at < whole_days.ends_at
      offset 0
    ) as part
    union all
    select side.day, side.sign, part.*
    from border
    cross join lateral (
      select buckets.provider, buckets.model, buckets.requests, buckets.failed_requests,
        buckets.input_tokens, buckets.output_tokens, buckets.cached_input_tokens
      from token_usage_buckets as buckets
      where buckets.width = 'hour'
        and buckets.starts_at >= least(border.hour, border.midnight)
        and buckets.starts_at < greatest(border.hour, border.midnight)
      union all
      select sums.provider, sums.model, sums.requests, sums.failed_requests,
        sums.input_tokens, sums.output_tokens, sums.cached_input_tokens
      from token_usage_sums as sums
      where sums.starts_at >= least(border.at, border.hour) and sums.starts_at < greatest(border.at, border.hour)
      offset 0
    ) as part
    -- What the day that starts at the border gains, the one that ends there loses.
    cross join lateral (
      values
        (border.day, case when border.at <= border.midnight then 1 else -1 end),
        (border.day - 1, case when border.at <= border.midnight then -1 else 1 end)
    ) as side (day, sign)
    where border.at <> border.midnight
    union all
    -- width_bucket finds the day: the last one that started before the time.
    select width_bucket(deltas.starts_at, day_starts), 1, deltas.provider, deltas.model, deltas.requests,
      deltas.failed_requests, deltas.input_tokens, deltas.output_tokens, deltas.cached_input_tokens
    from token_usage_deltas as deltas
    where deltas.starts_at >= range_starts_at and deltas.starts_at < range_ends_at
  )
  select
    dates[kept.day], kept.provider, kept.model,
    sum(kept.sign * kept.requests), sum(kept.sign * kept.failed_requests), sum(kept.sign * kept.input_tokens),
    sum(kept.sign * kept.output_tokens), sum(kept.sign * kept.cached_input_tokens)
  from kept
  where kept.day between 1 and cardinality(dates)
  group by kept.day, kept.provider, kept.model
  -- Sums of zero stay after all records are deleted.
  having sum(kept.sign * kept.requests) > 0;
end
$$;

-- Down Migration

lock table token_usage_records in share row exclusive mode;

create or replace function token_usage_by_day(
  dates text[], day_starts timestamptz[], range_starts_at timestamptz, range_ends_at timestamptz
)
returns table (
  date text, provider text, model text,
  requests numeric, failed_requests numeric, input_tokens numeric, output_tokens numeric, cached_input_tokens numeric
)
language plpgsql stable
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select
    -- width_bucket finds the day: the last one that started before the time.
    dates[day], used.provider, used.model,
    used.requests, used.failed_requests, used.input_tokens, used.output_tokens, used.cached_input_tokens
  from (
    select
      width_bucket(kept.starts_at, day_starts) as day, kept.provider, kept.model,
      sum(kept.requests) as requests, sum(kept.failed_requests) as failed_requests,
      sum(kept.input_tokens) as input_tokens, sum(kept.output_tokens) as output_tokens,
      sum(kept.cached_input_tokens) as cached_input_tokens
    from (
      select
        sums.starts_at, sums.provider, sums.model, sums.requests, sums.failed_requests,
        sums.input_tokens, sums.output_tokens, sums.cached_input_tokens
      from token_usage_sums as sums
      where sums.starts_at >= range_starts_at and sums.starts_at < range_ends_at
      union all
      select deltas.*
      from token_usage_deltas as deltas
      where deltas.starts_at >= range_starts_at and deltas.starts_at < range_ends_at
    ) as kept
    group by 1, 2, 3
    -- Sums of zero stay after all records are deleted.
    having sum(kept.requests) > 0
  ) as used;
end
$$;

create or replace function rebuild_token_usage_sums() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  lock table token_usage_records in share row exclusive mode;
  perform pg_advisory_xact_lock('token_usage_deltas'::regclass::oid::bigint);

  delete from token_usage_deltas;
  delete from token_usage_sums;

  insert into token_usage_deltas
  select quarter_hour(occurred_at), provider, model, count(*), count(*) filter (where not succeeded),
    sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
  from token_usage_records
  group by 1, 2, 3;
  perform fold_token_usage_deltas();
end
$$;

create or replace function token_usage_clear_sums() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from token_usage_deltas;
  delete from token_usage_sums;
  return null;
end
$$;

create or replace function fold_token_usage_deltas() returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed'
    or not pg_try_advisory_xact_lock('token_usage_deltas'::regclass::oid::bigint)
  then
    return;
  end if;

  with folded as (
    delete from token_usage_deltas
    returning starts_at, provider, model,
      requests, failed_requests, input_tokens, output_tokens, cached_input_tokens
  )
  insert into token_usage_sums as sums
    (starts_at, provider, model, requests, failed_requests, input_tokens, output_tokens, cached_input_tokens)
  select starts_at, provider, model,
    sum(requests), sum(failed_requests), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
  from folded
  group by starts_at, provider, model
  on conflict (starts_at, provider_digest, model_digest) do update set
    requests = sums.requests + excluded.requests,
    failed_requests = sums.failed_requests + excluded.failed_requests,
    input_tokens = sums.input_tokens + excluded.input_tokens,
    output_tokens = sums.output_tokens + excluded.output_tokens,
    cached_input_tokens = sums.cached_input_tokens + excluded.cached_input_tokens;
end
$$;

drop index token_usage_deltas_starts_at_idx;
alter table token_usage_deltas drop column change;
delete from table_versions where table_name = 'token_usage_records';
drop table token_usage_buckets;
