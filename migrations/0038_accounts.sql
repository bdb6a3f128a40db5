-- Up Migration

alter table admins add column generated_password_hash text;

comment on column admins.generated_password_hash is
  'The password_hash of a password that the service generated. While both are the same, the password is still in use.';

-- Plain bcrypt hashes of another system, which can have a higher cost. A failed sign-in takes as long as the slowest.
create index admins_imported_cost_idx on admins (substr(password_hash, 5, 2))
where starts_with(password_hash, chr(36) || '2');

alter table sessions
  add column device text not null default '',
  add column address text not null default '';

comment on column sessions.device is 'The browser and the system of the sign-in, such as Firefox on Windows.';
comment on column sessions.address is 'The network address of the sign-in.';

create table sign_in_networks (
  admin_id text not null references admins (id) on delete cascade,
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (admin_id, network)
);

create index sign_in_networks_last_used_at_idx on sign_in_networks (last_used_at);

comment on table sign_in_networks is 'The networks that accounts were signed in from in the last 90 days.';
comment on column sign_in_networks.network is 'An IPv4 network of 24 bits or an IPv6 network of 48 bits.';

create table sign_in_devices (
  admin_id text not null references admins (id) on delete cascade,
  device text not null,
  last_used_at timestamptz not null default now(),
  primary key (admin_id, device)
);

create index sign_in_devices_last_used_at_idx on sign_in_devices (last_used_at);

comment on table sign_in_devices is 'The browsers and systems that accounts were signed in with in the last 90 days.';

-- A new hash of the same password, which a sign-in sets together with backoffice.upgraded_hash, ends no session.
create or replace function end_sessions_of_changed_admin() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  if (new.role, new.is_active, new.email) is not distinct from (old.role, old.is_active, old.email)
    and new.password_hash = current_setting('backoffice.upgraded_hash', true)
  then
    return null;
  end if;
  delete from sessions
  where admin_id = new.id
    and (new.is_active = 0 or sid is distinct from current_setting('backoffice.keep_session', true));
  return null;
end
$$;

-- Down Migration

create or replace function end_sessions_of_changed_admin() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from sessions
  where admin_id = new.id
    and (new.is_active = 0 or sid is distinct from current_setting('backoffice.keep_session', true));
  return null;
end
$$;

drop table sign_in_devices;
drop table sign_in_networks;
alter table sessions drop column device, drop column address;
drop index admins_imported_cost_idx;
alter table admins drop column generated_password_hash;
