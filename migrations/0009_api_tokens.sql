-- Up Migration

-- A token belongs to no admin: created_by is a note of who made it, and outlives that account.
create table api_tokens (
  id bigint generated always as identity primary key,
  name text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  role text not null check (role in ('superadmin', 'admin', 'user')),
  created_at timestamptz not null default now(),
  created_by text not null default '',
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

comment on table api_tokens is 'Bearer tokens for scripts. Revoked ones stay as a record.';
comment on column api_tokens.token_hash is
  'SHA-256 of the token. No salt and no work factor: a token is 32 random bytes and can''t be guessed.';

-- Down Migration

drop table api_tokens;
