-- Up Migration

-- Each request reads its session or token, so nothing has to be locked against changes of authority.
drop function change_authority() cascade;
drop function hold_authority();
drop sequence authority_version;
drop table authority_lock;

-- Down Migration

-- Instances may remember who is signed in with which role, as long as nothing can change that. Each holds this table in
-- SHARE mode while it uses what it remembers, a few hundredths of a second at a time. Whatever changes authority takes
-- ROW EXCLUSIVE mode until it has committed. Changes do not conflict with each other, nor do instances, but a change
-- conflicts with every instance. So once a change has committed, no instance remembers what was before it. That holds
-- for changes by SQL too, and if an instance has frozen or lost its connection, because Postgres ends its idle
-- transaction.
--
-- The locks end with their transactions, so they also work behind a pooler.
create table authority_lock ();

comment on table authority_lock is
  'Has no rows. Instances lock it while they remember who is signed in; changes of authority lock it against them.';

-- Read under the lock, it tells an instance whether authority has changed since it last held the lock.
create sequence authority_version;

-- Never waits: an instance that waited would keep other changes waiting behind it. Until then it reads the sessions.
create function hold_authority() returns bigint
language plpgsql
set search_path = public, pg_temp
as $$
begin
  lock table authority_lock in share mode nowait;
  return (select last_value + is_called::integer from authority_version);
exception when lock_not_available then
  return null;
end
$$;

comment on function hold_authority is
  'Keeps changes of authority from being made until the transaction ends. Returns their number, or null if one is being made.';

create function change_authority() returns trigger
language plpgsql
security definer
set search_path = public, pg_temp
as $$
begin
  lock table authority_lock in row exclusive mode;
  perform nextval('authority_version');
  return null;
end
$$;

comment on function change_authority is 'Trigger: waits until no instance remembers authority, and counts the change.';

revoke execute on function change_authority() from public;

-- Only what ends a session or a token, or changes what it may do: not sign-ins, and not the times of last use, which move
-- once a minute. Before the statement where possible, because it has locked no rows yet.
create trigger sessions_change_authority
before delete or truncate or update of sid, sess, expire, is_enrolling on sessions
for each statement execute function change_authority();

create trigger sessions_rewind_authority
after update of last_seen_at on sessions
for each row when (new.last_seen_at < old.last_seen_at)
execute function change_authority();

create trigger admins_change_authority
before delete or truncate or update of id, email, username, role, is_active, created_at on admins
for each statement execute function change_authority();

create trigger api_tokens_change_authority
before delete or truncate or update of id, name, token_hash, role, expires_at, revoked_at, owner_id, read_only on api_tokens
for each statement execute function change_authority();

create trigger api_tokens_rewind_authority
after update of last_used_at on api_tokens
for each row when (new.last_used_at is null or new.last_used_at < old.last_used_at)
execute function change_authority();

-- Also while session_replication_role is replica, as in some imports.
alter table sessions enable always trigger sessions_change_authority;
alter table sessions enable always trigger sessions_rewind_authority;
alter table admins enable always trigger admins_change_authority;
alter table api_tokens enable always trigger api_tokens_change_authority;
alter table api_tokens enable always trigger api_tokens_rewind_authority;
