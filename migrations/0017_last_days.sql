-- Up Migration

-- As month_to_date, which says why the zone is set in this way.
create function last_days(zone text, at timestamptz, days integer)
returns table (timezone text, date text, starts_at timestamptz, ends_at timestamptz)
language plpgsql stable
set timezone to 'UTC'
as $$
declare
  today date;
begin
  begin
    perform set_config('TimeZone', zone, true);
  exception when invalid_parameter_value then
    null; -- A zone that this server's zone files lack: UTC, and the answer says so.
  end;
  today := at::date;
  return query
  select
    current_setting('TimeZone'),
    to_char(today - back, 'YYYY-MM-DD'),
    (today - back)::timestamptz,
    (today - back + 1)::timestamptz
  from generate_series(days - 1, 0, -1) as back;
end
$$;

comment on function last_days is
  'So many days in a time zone, up to the day of that instant, as half-open ranges; in UTC for an unknown zone.';

-- Down Migration

drop function last_days(text, timestamptz, integer);
