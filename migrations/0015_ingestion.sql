-- Up Migration

-- A cached token is an input token that costs less, so the cost of the others is that of the difference.
update token_usage_records set cached_input_tokens = input_tokens where cached_input_tokens > input_tokens;
alter table token_usage_records
  add constraint token_usage_records_cached_input_check check (cached_input_tokens <= input_tokens);

-- The analytics read sums, for a month may have millions of records. They are kept like the counters of
-- issues (see the migration of issue_counters): a writer only appends what its statement changed to
-- token_usage_deltas, now and then one folds the deltas into token_usage_sums, and what is read is both,
-- in one snapshot. So they are exact whoever writes, and no writer waits for another.
--
-- Which day a record is of depends on the setting timezone, so the sums are finer than any day: every
-- offset in use is a multiple of 15 minutes.
create function quarter_hour(at timestamptz) returns timestamptz
language sql immutable strict parallel safe
as $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z') $$;

comment on function quarter_hour is 'The start of the quarter of an hour that an instant falls in.';

create table token_usage_sums (
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
  primary key (starts_at, provider_digest, model_digest)
) with (fillfactor = 80);

comment on table token_usage_sums is
  'Token usage per quarter of an hour, provider and model, without token_usage_deltas. Room on each page lets an update stay there.';

create table token_usage_deltas (
  starts_at timestamptz not null,
  provider text not null,
  model text not null,
  requests bigint not null,
  failed_requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cached_input_tokens bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table token_usage_deltas is
  'Changes not yet folded into token_usage_sums, signed. Deleted by folding, so vacuumed early.';

-- One at a time, and only where the snapshot is newer than the lock: see fold_issue_count_deltas.
create function fold_token_usage_deltas() returns void
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

comment on function fold_token_usage_deltas is
  'Moves the deltas into the sums; does nothing while another transaction does it.';

-- Folding falls on a statement with the chance (rows it appended) / 256: about 256 rows wait at a time.
create function token_usage_append_deltas() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  appended bigint;
begin
  if tg_op = 'INSERT' then
    insert into token_usage_deltas
    select quarter_hour(occurred_at), provider, model, count(*), count(*) filter (where not succeeded),
      sum(input_tokens), sum(output_tokens), sum(cached_input_tokens)
    from new_rows
    group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    insert into token_usage_deltas
    select quarter_hour(occurred_at), provider, model, -count(*), -count(*) filter (where not succeeded),
      -sum(input_tokens), -sum(output_tokens), -sum(cached_input_tokens)
    from old_rows
    group by 1, 2, 3;
  else
    insert into token_usage_deltas
    select quarter_hour(occurred_at), provider, model, sum(sign), sum(sign * (not succeeded)::integer),
      sum(sign * input_tokens), sum(sign * output_tokens), sum(sign * cached_input_tokens)
    from (
      select occurred_at, provider, model, succeeded, input_tokens, output_tokens, cached_input_tokens, 1 as sign
      from new_rows
      union all
      select occurred_at, provider, model, succeeded, input_tokens, output_tokens, cached_input_tokens, -1
      from old_rows
    ) as changed
    group by 1, 2, 3
    having sum(sign) <> 0 or sum(sign * (not succeeded)::integer) <> 0
      or sum(sign * input_tokens) <> 0 or sum(sign * output_tokens) <> 0 or sum(sign * cached_input_tokens) <> 0;
  end if;

  get diagnostics appended = row_count;
  if random() * 256 < appended then
    perform fold_token_usage_deltas();
  end if;
  return null;
end
$$;

comment on function token_usage_append_deltas is 'Statement trigger: appends what the statement changed in the sums.';

create trigger token_usage_records_sum_inserts
after insert on token_usage_records referencing new table as new_rows
for each statement execute function token_usage_append_deltas();

create trigger token_usage_records_sum_updates
after update on token_usage_records referencing old table as old_rows new table as new_rows
for each statement execute function token_usage_append_deltas();

create trigger token_usage_records_sum_deletes
after delete on token_usage_records referencing old table as old_rows
for each statement execute function token_usage_append_deltas();

-- Deletes rather than truncates, as for the counters of issues: a truncate would wait for readers.
create function token_usage_clear_sums() returns trigger
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

comment on function token_usage_clear_sums is 'Statement trigger: a truncated table has no records to sum.';

create trigger token_usage_records_sum_truncate
after truncate on token_usage_records
for each statement execute function token_usage_clear_sums();

-- For rows that came in past the triggers. The locks are those of rebuild_issue_counters.
create function rebuild_token_usage_sums() returns void
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

comment on function rebuild_token_usage_sums is 'Sums every record again; writers of records wait meanwhile.';

select rebuild_token_usage_sums();

-- A record of the greatest size at the greatest price, many times over.
alter table token_alerts
  alter column limit_amount type numeric(38, 4),
  alter column current_amount type numeric(38, 4);

-- See month_to_date, whose zone this takes.
create function month_ends_at(zone text, at timestamptz) returns timestamptz
language plpgsql stable
set timezone to 'UTC'
as $$
begin
  begin
    perform set_config('TimeZone', zone, true);
  exception when invalid_parameter_value then
    null; -- A zone that this server's zone files lack: UTC.
  end;
  return (date_trunc('month', at::timestamp) + interval '1 month')::timestamptz;
end
$$;

comment on function month_ends_at is 'The first instant after the month of an instant in a time zone; in UTC for an unknown zone.';

-- What makes an error sent twice the same one. The default is for an INSERT that has no such thing.
alter table scraping_errors
  add column error_key text not null default generate_id('error', 7),
  add constraint scraping_errors_once_key unique (run_id, error_key);

comment on column scraping_errors.error_key is
  'The id that the sender gave the error, or a digest of its content; unique within its run.';

-- The constraint has an index that begins with it.
drop index scraping_errors_run_id_idx;

-- Down Migration

create index scraping_errors_run_id_idx on scraping_errors (run_id);
alter table scraping_errors drop column error_key;
drop function month_ends_at(text, timestamptz);
alter table token_alerts
  alter column limit_amount type numeric(18, 4),
  alter column current_amount type numeric(18, 4);
alter table token_usage_records drop constraint token_usage_records_cached_input_check;
drop trigger token_usage_records_sum_inserts on token_usage_records;
drop trigger token_usage_records_sum_updates on token_usage_records;
drop trigger token_usage_records_sum_deletes on token_usage_records;
drop trigger token_usage_records_sum_truncate on token_usage_records;
drop function token_usage_append_deltas();
drop function token_usage_clear_sums();
drop function rebuild_token_usage_sums();
drop function fold_token_usage_deltas();
drop table token_usage_deltas;
drop table token_usage_sums;
drop function quarter_hour(timestamptz);
