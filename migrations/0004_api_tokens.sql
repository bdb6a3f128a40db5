-- Tokens for scripts and programs, and the sign-ins of devices that end in one.

-- A token of an admin acts as that admin, with at most the admin's role. No foreign key: a token whose owner is gone must
-- stay what it is, and not become one without owner. created_by is a note of who made it.
create table api_tokens (
  id bigint generated always as identity primary key,
  name text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  role text not null check (role in ('superadmin', 'admin', 'user')),
  created_at timestamptz not null default now(),
  created_by text not null default '',
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  owner_id text,
  parent_id bigint,
  read_only boolean not null default false
);

comment on table api_tokens is 'Bearer tokens for scripts. Revoked ones stay as a record.';
comment on column api_tokens.token_hash is
  'SHA-256 of the token. No salt and no work factor: a token is 32 random bytes and can''t be guessed.';
comment on column api_tokens.owner_id is 'The admin that it acts as. Null for tokens of the command line.';
comment on column api_tokens.parent_id is 'The token that created it, which ends with it.';
comment on column api_tokens.read_only is 'Whether it may only read.';

create index api_tokens_owner_id_idx on api_tokens (owner_id) where owner_id is not null;
create index api_tokens_parent_id_idx on api_tokens (parent_id) where parent_id is not null;

-- Of digests, because an old name may be too long for an index.
create unique index api_tokens_owner_name_key on api_tokens (coalesce(owner_id, ''), md5(name)) where revoked_at is null;

create table device_sign_ins (
  id bigint generated always as identity primary key,
  device_hash bytea not null constraint device_sign_ins_device_hash_key unique,
  user_digest bytea not null constraint device_sign_ins_user_digest_key unique,
  name text not null,
  address text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  polled_at timestamptz,
  interval_seconds integer not null default 5,
  denied_at timestamptz,
  admin_id text,
  role text check (role in ('superadmin', 'admin', 'user')),
  read_only boolean,
  token_days integer,
  check ((admin_id is null) = (role is null)),
  check ((admin_id is null) = (read_only is null))
);

comment on table device_sign_ins is
  'Programs that wait for a person to let them in. A row exists until its program has its token, or its code is too old.';
comment on column device_sign_ins.device_hash is 'SHA-256 of the secret of the program.';
comment on column device_sign_ins.user_digest is 'A keyed digest of the short code that the person enters.';
comment on column device_sign_ins.admin_id is 'Who has let it in. The token will be theirs.';
comment on column device_sign_ins.token_days is 'After how many days the token expires. Null is never.';

create index device_sign_ins_expires_at_idx on device_sign_ins (expires_at);

-- Here rather than in the service, so that an operator's plain UPDATE or DELETE does it too: an account that becomes active
-- again, or a new one with the same id, must not have the old tokens.
create function end_tokens_of_admin() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  perform from api_tokens where owner_id = old.id and revoked_at is null order by id for update;
  update api_tokens set revoked_at = clock_timestamp() where owner_id = old.id and revoked_at is null;
  delete from device_sign_ins where admin_id = old.id;
  return null;
end
$$;

comment on function end_tokens_of_admin is 'Revokes the tokens of an admin that is deleted or no longer active.';

revoke execute on function end_tokens_of_admin() from public;

create trigger admins_end_tokens_at_delete
after delete on admins
for each row execute function end_tokens_of_admin();

create trigger admins_end_tokens
after update of id, is_active on admins
for each row when (new.is_active <> 1 or new.id <> old.id)
execute function end_tokens_of_admin();
