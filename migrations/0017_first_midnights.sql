-- Where the clocks go back at one o'clock in the night, midnight happens twice, and Postgres reads it as the second one. A
-- day begins at the first.
--
-- The offset of a day earlier is that of the first midnight. With any other change of the clocks, that is no midnight.
create function day_starts_at(day date) returns timestamptz
language sql stable
return case
  when (day::timestamptz - ((day::timestamptz - interval '24 hours')::timestamp - (day - 1)::timestamp))::timestamp = day
  then day::timestamptz - ((day::timestamptz - interval '24 hours')::timestamp - (day - 1)::timestamp)
  else day::timestamptz
end;

comment on function day_starts_at is 'The first instant of a day in the time zone of the session.';

create or replace function month_to_date(zone text, at timestamptz)
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
    to_char(day, 'YYYY-MM-DD'),
    day_starts_at(day::date),
    day_starts_at(day::date + 1)
  from generate_series(date_trunc('month', today::timestamp), today::timestamp, interval '1 day') as day
  order by day;
end
$$;

create or replace function month_ends_at(zone text, at timestamptz) returns timestamptz
language plpgsql stable
set timezone to 'UTC'
as $$
begin
  begin
    perform set_config('TimeZone', zone, true);
  exception when invalid_parameter_value then
    null; -- A zone that this server's zone files lack: UTC.
  end;
  return day_starts_at((date_trunc('month', at::timestamp) + interval '1 month')::date);
end
$$;

create or replace function last_days(zone text, at timestamptz, days integer)
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
    day_starts_at(today - back),
    day_starts_at(today - back + 1)
  from generate_series(days - 1, 0, -1) as back;
end
$$;
