-- Up Migration

-- One statement each, where a transaction of four waited for an answer to each of them. That delays a sign-in while the
-- database is busy.

create function lock_attempts(keys text[], window_seconds integer, out moment bigint, out latest bigint)
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtext('sign_in_limits'), number)
  from (select distinct hashtext(key) as number from unnest(keys) as given (key) order by 1) as ordered;
  moment := extract(epoch from clock_timestamp()) * 1000;
  -- If a count ends later than a new one would, the clock has jumped back since it began, and it would refuse attempts for
  -- too long. The extra minute allows for small corrections of the clock.
  latest := moment + (window_seconds + 60) * 1000;
end
$$;

comment on function lock_attempts is
  'Makes other transactions with the same keys wait until this one ends. Locks in a fixed order to avoid deadlocks. Returns the time, and the latest time at which a count may end, in milliseconds since 1970.';

create function start_attempt(keys text[], max_failures integer[], window_seconds integer, running_seconds integer)
returns table (key text, seconds integer)
language plpgsql
-- A connection keeps the plans. Those made while the table is small would read all of it later.
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  moment bigint;
  latest bigint;
begin
  select * into moment, latest from lock_attempts(keys, window_seconds);
  return query
  with wanted as (
    select * from unnest(keys, max_failures) as given (key, max_failures)
  ),
  refusal as (
    select
      wanted.key,
      case when failed.points >= wanted.max_failures
        then greatest(ceil((failed.expire - moment) / 1000.0), 1)::integer
      end as seconds
    from wanted
    left join rate_limits as failed
      on failed.key = wanted.key and failed.expire > moment and failed.expire <= latest
    left join rate_limits as running
      on running.key = 'under-way:' || wanted.key and running.expire > moment and running.expire <= latest
    where coalesce(failed.points, 0) + coalesce(running.points, 0) >= wanted.max_failures
    order by seconds desc nulls last
    limit 1
  ),
  started as (
    insert into rate_limits as counted (key, points, expire)
    select 'under-way:' || key, 1, moment + running_seconds * 1000
    from wanted
    where not exists (select from refusal)
    on conflict (key) do update set
      points = case when counted.expire > moment and counted.expire <= latest then counted.points else 0 end + 1,
      expire = excluded.expire
  )
  select key, seconds from refusal;
end
$$;

comment on function start_attempt is
  'Counts an attempt as running, unless it would exceed a limit if it and all running attempts failed. Returns why it is refused: the key, and the seconds until another is allowed; null if only running attempts reach the limit.';

create function end_attempt(keys text[], failed text[], forgiven text[], window_seconds integer)
returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  moment bigint;
  latest bigint;
begin
  select * into moment, latest from lock_attempts(keys, window_seconds);
  update rate_limits set points = points - 1
  from unnest(keys) as given (key)
  where rate_limits.key = 'under-way:' || given.key and points > 0;
  insert into rate_limits as counted (key, points, expire)
  select given.key, 1, moment + window_seconds * 1000 from unnest(failed) as given (key)
  on conflict (key) do update set
    points = case when counted.expire > moment and counted.expire <= latest then counted.points else 0 end + 1,
    expire = case when counted.expire > moment and counted.expire <= latest then counted.expire else excluded.expire end;
  delete from rate_limits where rate_limits.key = any(forgiven);
end
$$;

comment on function end_attempt is
  'Ends an attempt that start_attempt counted. It counts as a failure for some keys; the failures of others are forgotten.';

-- Down Migration

drop function end_attempt(text[], text[], text[], integer);
drop function start_attempt(text[], integer[], integer, integer);
drop function lock_attempts(text[], integer);
