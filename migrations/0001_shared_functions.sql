-- Up Migration

-- Ids of the form <prefix>_<milliseconds>_<base-36 suffix>, so that an INSERT without an id works.
-- The suffix comes from gen_random_uuid(), Postgres' own strong random source: its last seven bytes
-- hold no version bits. Longer suffixes need another source.
create function generate_id(prefix text, suffix_length integer) returns text
language sql volatile
as $$
  select prefix || '_' || floor(extract(epoch from clock_timestamp()) * 1000)::bigint || '_' || string_agg(
    substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + get_byte(random.bytes, 16 - position) % 36, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) as random
  cross join generate_series(1, least(suffix_length, 7)) as position
$$;

comment on function generate_id is
  'Default of text ids: prefix_milliseconds_suffix, the suffix of at most 7 random base-36 characters.';

-- A trigger rather than a rule of the service, so that plain SQL by an operator refreshes the time too.
-- Triggers that use it leave an updated_at alone that the statement itself sets.
create function refresh_updated_at() returns trigger
language plpgsql
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

comment on function refresh_updated_at is 'Row trigger before update: sets updated_at to the time of the transaction.';

-- Down Migration

drop function refresh_updated_at();
drop function generate_id(text, integer);
