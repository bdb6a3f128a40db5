-- Settings, and what the instances of the service share: idempotency keys, limits of attempts, workers, failed mails.

create table settings (
  setting_key text primary key,
  setting_value text not null,
  updated_at timestamptz not null default now(),
  is_secret boolean not null default false,
  author text,
  authored_at timestamptz
);

comment on table settings is
  'Key/value settings. Keys are stored as given; the service keeps them short enough for the index.';
comment on column settings.is_secret is 'Whether the value is encrypted, for setting:<key>.';
comment on column settings.author is
  'Who wrote the value through the service, if authored_at is updated_at. Otherwise SQL or an older version has written it since.';
comment on column settings.authored_at is 'The updated_at of the row when author wrote it.';

-- Also where the value stays the same: the contract refreshes the time on every write.
create trigger settings_refresh_updated_at
before update on settings
for each row when (new.updated_at is not distinct from old.updated_at)
execute function refresh_updated_at();

-- The answers to calls with an Idempotency-Key, each written in the transaction of the change that it answers. Neither
-- the key nor an answer is stored in clear: an answer may hold a secret that is shown once.
create table idempotency_keys (
  id bytea primary key,
  fingerprint bytea not null,
  answer bytea not null,
  created_at timestamptz not null default now()
);

comment on table idempotency_keys is 'Answers to calls with an Idempotency-Key, kept for 24 hours.';
comment on column idempotency_keys.id is 'A hash of the actor, the operation and the key.';
comment on column idempotency_keys.fingerprint is 'A hash of the request under the key, to recognize another request.';
comment on column idempotency_keys.answer is 'Encrypted under the key, which is not stored.';

-- Finds the expired ones.
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- Takes a lock until the end of the transaction, then looks for the answer. It never waits for the lock. The function is
-- volatile, so that its second statement sees what the previous holder of the lock has committed.
create function claim_idempotency_key(
  wanted bytea, out is_running boolean, out fingerprint bytea, out answer bytea
)
language plpgsql volatile
as $$
begin
  -- The first 8 bytes of the hash are the number of the lock.
  is_running := not pg_try_advisory_xact_lock(('x' || encode(substr(wanted, 1, 8), 'hex'))::bit(64)::bigint);
  if not is_running then
    select stored.fingerprint, stored.answer into fingerprint, answer
    from idempotency_keys as stored
    where stored.id = wanted and stored.created_at > now() - interval '24 hours';
  end if;
end
$$;

comment on function claim_idempotency_key is
  'Locks a key for this transaction. Returns is_running if another one holds it, else the stored answer, if there is one.';

-- Fails where claim_idempotency_key would say that the key is not free. So statements that are sent with it fail as well,
-- without a wait for any lock.
create function claim_new_idempotency_key(wanted bytea) returns void
language plpgsql volatile
as $$
begin
  if pg_try_advisory_xact_lock(('x' || encode(substr(wanted, 1, 8), 'hex'))::bit(64)::bigint)
    and not exists (
      select from idempotency_keys where id = wanted and created_at > now() - interval '24 hours'
    )
  then
    return;
  end if;
  raise exception 'the idempotency key is not free' using errcode = 'unique_violation', constraint = 'idempotency_keys_pkey';
end
$$;

comment on function claim_new_idempotency_key is
  'Locks a key for this transaction. Fails if another one holds it, or if there is an answer.';

-- The table of rate-limiter-flexible's RateLimiterPostgres, which inserts without naming columns:
-- their order counts. It removes expired rows itself.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

comment on table rate_limits is 'Tries counted per key, shared by every instance.';
comment on column rate_limits.expire is 'Milliseconds since 1970; null never expires.';

-- The limits of sign-in. One statement each, where a transaction of four waited for an answer to each of them. That delays
-- a sign-in while the database is busy.

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

create table job_workers (
  name text primary key,
  seen_at timestamptz not null
);

comment on table job_workers is 'Who works on the queue. The jobs of one that is not seen any more are freed for the others.';

create table failed_mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  error text not null,
  failed_at timestamptz not null default now()
);

comment on table failed_mails is 'Mails that were given up in the last week, for doctor.';
comment on column failed_mails.error is 'Why, in a sentence.';

create index failed_mails_failed_at_idx on failed_mails (failed_at);
