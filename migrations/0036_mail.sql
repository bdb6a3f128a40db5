-- Up Migration

create table failed_mails (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  error text not null,
  failed_at timestamptz not null default now()
);

comment on table failed_mails is 'Mails that were given up in the last week, for doctor.';
comment on column failed_mails.error is 'Why, in a sentence.';

create index failed_mails_failed_at_idx on failed_mails (failed_at);

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

-- Down Migration

drop trigger admins_end_password_resets on admins;
drop function end_password_resets_of_changed_admin();
drop table password_resets;
drop table invitations;
drop table failed_mails;
