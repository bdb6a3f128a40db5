-- Accounts of the back office, their sessions, and what leads to one.

-- E-mails are stored trimmed and lower-cased by the service. No CHECK repeats that here: Postgres and
-- JavaScript differ on trimming and lower-casing some of Unicode, and the service's answer is the rule.
create table admins (
  id text primary key default generate_id('admin', 6),
  email text not null constraint admins_email_key unique,
  username text not null,
  role text not null default 'admin' check (role in ('superadmin', 'admin', 'user')),
  is_active integer not null default 1 check (is_active in (0, 1)),
  created_at timestamptz(3) not null default now(),
  password_hash text not null default '',
  otp_email text not null,
  updated_at timestamptz not null default now(),
  generated_password_hash text
);

comment on table admins is 'Accounts of the back office.';
comment on column admins.is_active is '1 or 0, an integer because the contract answers it as one.';
comment on column admins.password_hash is
  'Scheme, version and hash; empty where no password is set, and then nobody can sign in.';
comment on column admins.otp_email is
  'Address for one-time codes; where an INSERT leaves it out, the e-mail.';
comment on column admins.generated_password_hash is
  'The password_hash of a password that the service generated. While both are the same, the password is still in use.';

-- The order of the list.
create index admins_created_at_id_idx on admins (created_at, id);

-- Plain bcrypt hashes of another system, which can have a higher cost. A failed sign-in takes as long as the slowest.
create index admins_imported_cost_idx on admins (substr(password_hash, 5, 2))
where starts_with(password_hash, chr(36) || '2');

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

-- TRUNCATE … CASCADE empties every table with a foreign key to admins, also if the key says "on delete set null".
create function admins_are_not_truncated() returns trigger
language plpgsql
as $$
begin
  raise exception 'TRUNCATE of admins would empty issues and conversations too'
    using errcode = 'restrict_violation', hint = 'Use DELETE.';
end
$$;

comment on function admins_are_not_truncated is 'Refuses a TRUNCATE, which would cascade to what is assigned.';

create trigger admins_no_truncate
before truncate on admins
for each statement execute function admins_are_not_truncated();

-- The table of connect-pg-simple (sid, sess, expire), with timestamptz where its own has no zone. The deletion of an
-- admin, also by plain SQL, deletes the admin's sessions.
create table sessions (
  sid text primary key,
  sess jsonb not null,
  expire timestamptz not null,
  admin_id text not null generated always as (sess ->> 'adminId') stored
    references admins (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  is_enrolling boolean not null default false,
  device text not null default '',
  address text not null default ''
);

comment on table sessions is 'Sessions of signed-in admins. A row exists only from sign-in on.';
comment on column sessions.expire is 'End of the session in any case; the idle time counts from last_seen_at.';
comment on column sessions.is_enrolling is 'Whether the session may only set up a second factor.';
comment on column sessions.device is 'The browser and the system of the sign-in, such as Firefox on Windows.';
comment on column sessions.address is 'The network address of the sign-in.';

create index sessions_admin_id_idx on sessions (admin_id);
create index sessions_expire_idx on sessions (expire);

-- Here rather than in the service, so that an operator's plain UPDATE ends them too, in the same
-- transaction. The setting backoffice.keep_session, made with `set local`, names the one session (sid)
-- that survives: that of an admin who changes its own profile. A deactivated admin keeps none.
--
-- A new hash of the same password, which a sign-in sets together with backoffice.upgraded_hash, ends no session.
create function end_sessions_of_changed_admin() returns trigger
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

comment on function end_sessions_of_changed_admin is
  'A change of role, activity, password or e-mail ends the admin''s sessions, except backoffice.keep_session.';

-- Only the triggers of our tables need the functions that run as their owner, and a trigger needs no EXECUTE. With
-- EXECUTE, any role could attach such a function to a temporary table and have it run as the owner on types and casts
-- that the role has made. So every such function is revoked.
revoke execute on function end_sessions_of_changed_admin() from public;

create trigger admins_end_sessions
after update of role, is_active, password_hash, email on admins
for each row when (
  (new.role, new.is_active, new.password_hash, new.email)
  is distinct from (old.role, old.is_active, old.password_hash, old.email)
)
execute function end_sessions_of_changed_admin();

create table sign_in_challenges (
  digest bytea primary key,
  admin_id text not null references admins (id) on delete cascade,
  password_digest bytea not null,
  methods text[] not null,
  code_digest bytea,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

comment on table sign_in_challenges is 'Sign-ins with a right password that still need a second factor.';
comment on column sign_in_challenges.digest is 'A keyed digest of the challenge, which only its caller has.';
comment on column sign_in_challenges.password_digest is 'A keyed digest of the password hash that was verified.';
comment on column sign_in_challenges.code_digest is 'A keyed digest of the code that was sent by e-mail, with its challenge.';

create index sign_in_challenges_admin_id_idx on sign_in_challenges (admin_id);
create index sign_in_challenges_expires_at_idx on sign_in_challenges (expires_at);

-- Here rather than in the service, as for sessions: a plain UPDATE ends them too, in the same transaction.
create function end_challenges_of_changed_admin() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from sign_in_challenges where admin_id = new.id;
  return null;
end
$$;

comment on function end_challenges_of_changed_admin is
  'A change of role, activity, password or address ends the sign-ins that still need a second factor.';

revoke execute on function end_challenges_of_changed_admin() from public;

create trigger admins_end_challenges
after update of role, is_active, password_hash, email, otp_email on admins
for each row when (
  (new.role, new.is_active, new.password_hash, new.email, new.otp_email)
  is distinct from (old.role, old.is_active, old.password_hash, old.email, old.otp_email)
)
execute function end_challenges_of_changed_admin();

create table admin_factors (
  id text primary key,
  admin_id text not null references admins (id) on delete cascade,
  type text not null check (type in ('totp', 'passkey')),
  name text not null default '',
  secret text,
  last_step bigint,
  challenge_digest bytea,
  credential_id text,
  public_key bytea,
  sign_count bigint,
  transports text[] not null default '{}',
  rp_id text,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  last_used_at timestamptz,
  constraint admin_factors_credential_id_key unique (credential_id),
  check (verified_at is null or case type
    when 'totp' then secret is not null
    else num_nulls(credential_id, public_key, sign_count, rp_id) = 0
  end)
);

comment on table admin_factors is 'Second factors of accounts. One that is not verified is still being set up.';
comment on column admin_factors.secret is 'Of an authenticator app: its seed, sealed by the service.';
comment on column admin_factors.last_step is 'The time step of the last code that was used: no step is used twice.';
comment on column admin_factors.challenge_digest is 'Of a passkey that is being set up: a keyed digest of its challenge.';
comment on column admin_factors.sign_count is 'How often the passkey was used, as far as its device counts.';
comment on column admin_factors.rp_id is 'The domain that the passkey belongs to. Browsers offer it nowhere else.';

create index admin_factors_admin_id_idx on admin_factors (admin_id);

create table admin_recovery_codes (
  id text primary key,
  admin_id text not null references admins (id) on delete cascade,
  sealed_hash text not null,
  created_at timestamptz not null default now()
);

comment on table admin_recovery_codes is 'Recovery codes that have not been used.';
comment on column admin_recovery_codes.sealed_hash is
  'A hash of the code, sealed by the service, so that a copy of the table is not enough to guess it.';

create index admin_recovery_codes_admin_id_idx on admin_recovery_codes (admin_id);

create table invitations (
  id bigint generated always as identity primary key,
  email text not null constraint invitations_email_key unique,
  role text not null check (role in ('superadmin', 'admin', 'user')),
  token_hash bytea not null constraint invitations_token_hash_key unique,
  invited_by text not null,
  inviter_id text references admins (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

comment on table invitations is 'Links that create an account each. A row exists until its link is used, revoked or too old.';
comment on column invitations.token_hash is 'SHA-256 of the secret in the link.';
comment on column invitations.invited_by is 'The name of who sent it.';
comment on column invitations.inviter_id is 'Their account; null if they have none. The link ends with their right to invite.';

create index invitations_inviter_id_idx on invitations (inviter_id) where inviter_id is not null;

create table password_resets (
  id bigint generated always as identity primary key,
  admin_id text not null references admins (id) on delete cascade,
  token_hash bytea not null constraint password_resets_token_hash_key unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

comment on table password_resets is
  'Links that set a new password each. A row exists until its account gets a new password, or its link is too old.';
comment on column password_resets.token_hash is 'SHA-256 of the secret in the link.';

create index password_resets_admin_id_idx on password_resets (admin_id);

-- Here rather than in the service, so that an operator's plain UPDATE does it too: a link that was sent before must not
-- undo the change, and the account's mailbox may be another now.
create function end_password_resets_of_changed_admin() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  delete from password_resets where admin_id = new.id;
  return null;
end
$$;

comment on function end_password_resets_of_changed_admin is
  'A change of activity, password or e-mail ends the links that set a new password.';

revoke execute on function end_password_resets_of_changed_admin() from public;

create trigger admins_end_password_resets
after update of is_active, password_hash, email on admins
for each row when (
  (new.is_active, new.password_hash, new.email) is distinct from (old.is_active, old.password_hash, old.email)
)
execute function end_password_resets_of_changed_admin();

create table sign_in_networks (
  admin_id text not null references admins (id) on delete cascade,
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (admin_id, network)
);

comment on table sign_in_networks is 'The networks that accounts were signed in from in the last 90 days.';
comment on column sign_in_networks.network is
  'An IPv4 address and its network of 24 bits, or IPv6 networks of 64 and of 48 bits.';

create index sign_in_networks_last_used_at_idx on sign_in_networks (last_used_at);

create table sign_in_devices (
  admin_id text not null references admins (id) on delete cascade,
  device text not null,
  last_used_at timestamptz not null default now(),
  primary key (admin_id, device)
);

comment on table sign_in_devices is 'The browsers and systems that accounts were signed in with in the last 90 days.';

create index sign_in_devices_last_used_at_idx on sign_in_devices (last_used_at);
