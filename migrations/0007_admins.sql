-- Up Migration

-- E-mails are stored trimmed and lower-cased by the service. No CHECK repeats that here: Postgres and
-- JavaScript differ on trimming and lower-casing some of Unicode, and the service's answer is the rule.
create table admins (
  id text primary key default generate_id('admin', 6),
  email text not null constraint admins_email_key unique,
  username text not null,
  role text not null default 'admin' check (role in ('superadmin', 'admin', 'user')),
  is_active integer not null default 1 check (is_active in (0, 1)),
  created_at timestamptz not null default now(),
  password_hash text not null default '',
  otp_email text not null,
  updated_at timestamptz not null default now()
);

comment on table admins is 'Accounts of the back office.';
comment on column admins.is_active is '1 or 0, an integer because the contract answers it as one.';
comment on column admins.password_hash is
  'Scheme, version and hash; empty where no password is set, and then nobody can sign in.';
comment on column admins.otp_email is
  'Address for one-time codes; where an INSERT leaves it out, the e-mail.';

-- The order of the list.
create index admins_created_at_id_idx on admins (created_at, id);

create trigger admins_refresh_updated_at
before update on admins
for each row when (new.updated_at is not distinct from old.updated_at)
execute function refresh_updated_at();

-- A column default can't read another column.
create function admins_default_otp_email() returns trigger
language plpgsql
as $$
begin
  new.otp_email := new.email;
  return new;
end
$$;

comment on function admins_default_otp_email is 'Row trigger before insert: the default of otp_email is the e-mail.';

create trigger admins_default_otp_email
before insert on admins
for each row when (new.otp_email is null)
execute function admins_default_otp_email();

-- Down Migration

drop table admins;
drop function admins_default_otp_email();
