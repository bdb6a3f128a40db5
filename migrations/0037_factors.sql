-- Up Migration

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

create index admin_factors_admin_id_idx on admin_factors (admin_id);

comment on table admin_factors is 'Second factors of accounts. One that is not verified is still being set up.';
comment on column admin_factors.secret is 'Of an authenticator app: its seed, sealed by the service.';
comment on column admin_factors.last_step is 'The time step of the last code that was used: no step is used twice.';
comment on column admin_factors.challenge_digest is 'Of a passkey that is being set up: a keyed digest of its challenge.';
comment on column admin_factors.sign_count is 'How often the passkey was used, as far as its device counts.';
comment on column admin_factors.rp_id is 'The domain that the passkey belongs to. Browsers offer it nowhere else.';

create table admin_recovery_codes (
  id text primary key,
  admin_id text not null references admins (id) on delete cascade,
  sealed_hash text not null,
  created_at timestamptz not null default now()
);

create index admin_recovery_codes_admin_id_idx on admin_recovery_codes (admin_id);

comment on table admin_recovery_codes is 'Recovery codes that have not been used.';
comment on column admin_recovery_codes.sealed_hash is
  'A hash of the code, sealed by the service, so that a copy of the table is not enough to guess it.';

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

create index sign_in_challenges_admin_id_idx on sign_in_challenges (admin_id);
create index sign_in_challenges_expires_at_idx on sign_in_challenges (expires_at);

comment on table sign_in_challenges is 'Sign-ins with a right password that still need a second factor.';
comment on column sign_in_challenges.digest is 'A keyed digest of the challenge, which only its caller has.';
comment on column sign_in_challenges.password_digest is 'A keyed digest of the password hash that was verified.';
comment on column sign_in_challenges.code_digest is 'A keyed digest of the code that was sent by e-mail, with its challenge.';

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

revoke execute on function end_challenges_of_changed_admin() from public;

comment on function end_challenges_of_changed_admin is
  'A change of role, activity, password or address ends the sign-ins that still need a second factor.';

create trigger admins_end_challenges
after update of role, is_active, password_hash, email, otp_email on admins
for each row when (
  (new.role, new.is_active, new.password_hash, new.email, new.otp_email)
  is distinct from (old.role, old.is_active, old.password_hash, old.email, old.otp_email)
)
execute function end_challenges_of_changed_admin();

alter table sessions add column is_enrolling boolean not null default false;

comment on column sessions.is_enrolling is 'Whether the session may only set up a second factor.';

drop trigger sessions_change_authority on sessions;

create trigger sessions_change_authority
before delete or truncate or update of sid, sess, expire, is_enrolling on sessions
for each statement execute function change_authority();

alter table sessions enable always trigger sessions_change_authority;

-- Down Migration

drop trigger sessions_change_authority on sessions;

create trigger sessions_change_authority
before delete or truncate or update of sid, sess, expire on sessions
for each statement execute function change_authority();

alter table sessions enable always trigger sessions_change_authority;

alter table sessions drop column is_enrolling;
drop trigger admins_end_challenges on admins;
drop function end_challenges_of_changed_admin();
drop table sign_in_challenges;
drop table admin_recovery_codes;
drop table admin_factors;
