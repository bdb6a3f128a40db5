-- Up Migration

-- The table of connect-pg-simple (sid, sess, expire), with timestamptz where its own has no zone, and
-- tied to the admin: a session can't outlive its account, whoever deletes it.
create table sessions (
  sid text primary key,
  sess jsonb not null,
  expire timestamptz not null,
  admin_id text not null generated always as (sess ->> 'adminId') stored
    references admins (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);

comment on table sessions is 'Sessions of signed-in admins. A row exists only from sign-in on.';
comment on column sessions.expire is 'End of the session in any case; the idle time counts from last_seen_at.';

create index sessions_admin_id_idx on sessions (admin_id);
create index sessions_expire_idx on sessions (expire);

-- Here rather than in the service, so that an operator's plain UPDATE ends them too, in the same
-- transaction. The setting backoffice.keep_session, made with `set local`, names the one session (sid)
-- that survives: that of an admin who changes its own profile. A deactivated admin keeps none.
create function end_sessions_of_changed_admin() returns trigger
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

comment on function end_sessions_of_changed_admin is
  'A change of role, activity, password or e-mail ends the admin''s sessions, except backoffice.keep_session.';

create trigger admins_end_sessions
after update of role, is_active, password_hash, email on admins
for each row when (
  (new.role, new.is_active, new.password_hash, new.email)
  is distinct from (old.role, old.is_active, old.password_hash, old.email)
)
execute function end_sessions_of_changed_admin();

-- Down Migration

drop trigger admins_end_sessions on admins;
drop function end_sessions_of_changed_admin();
drop table sessions;
