-- Up Migration

-- The table of rate-limiter-flexible's RateLimiterPostgres, which inserts without naming columns:
-- their order counts. It removes expired rows itself.
create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

comment on table rate_limits is 'Tries counted per key, shared by every instance.';
comment on column rate_limits.expire is 'Milliseconds since 1970; null never expires.';

-- Down Migration

drop table rate_limits;
