-- Up Migration

create table settings (
  setting_key text primary key,
  setting_value text not null,
  updated_at timestamptz not null default now()
);

comment on table settings is
  'Key/value settings. Keys are stored as given; the service keeps them short enough for the index.';

-- Also where the value stays the same: the contract refreshes the time on every write.
create trigger settings_refresh_updated_at
before update on settings
for each row when (new.updated_at is not distinct from old.updated_at)
execute function refresh_updated_at();

-- Down Migration

drop table settings;
