-- Creates the two roles of Backoffice, and makes one of them the owner of the database and of everything that is in it:
--
--   OWNER_PASSWORD_FILE=owner-password RUNTIME_PASSWORD_FILE=runtime-password psql "$ADMIN_URL" --file=deploy/roles.sql
--
-- Run it in the database of Backoffice as a superuser, or as the owner of the tables who may create roles. It can be run
-- again, and sets the passwords each time. Afterwards `backoffice migrate up`, with both roles, gives the runtime role its
-- rights. docker-compose.yml runs this file when it creates the database.

\set ON_ERROR_STOP on
\set owner_password `cat "$OWNER_PASSWORD_FILE"`
\set runtime_password `cat "$RUNTIME_PASSWORD_FILE"`
select :'owner_password' <> '' and :'runtime_password' <> '' as has_passwords \gset
\if :has_passwords
\else
  do $$ begin raise 'OWNER_PASSWORD_FILE and RUNTIME_PASSWORD_FILE must name the files with the passwords.'; end $$;
\endif

begin;
set local lock_timeout = '30s';

select format('create role %I login', name)
from unnest(array['backoffice_owner', 'backoffice_runtime']) as name
where to_regrole(name) is null
\gexec
alter role backoffice_owner login password :'owner_password';
alter role backoffice_runtime login password :'runtime_password';

-- Only a member of a role may give it something.
select format('grant backoffice_owner to %I', current_user)
where not pg_has_role('backoffice_owner', 'USAGE')
\gexec

select format('alter database %I owner to backoffice_owner', current_database())
\gexec
select format('revoke temporary on database %I from public', current_database())
\gexec

select format('alter schema %I owner to backoffice_owner', nspname) as statement
from pg_namespace
where nspname = 'graphile_worker' and nspowner <> 'backoffice_owner'::regrole
union all
select format(
  'alter %s %I.%I owner to backoffice_owner',
  case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
  nspname, relname
)
from pg_class
join pg_namespace on pg_namespace.oid = relnamespace
where nspname in ('public', 'graphile_worker') and relkind in ('r', 'p', 'v', 'm', 'S')
  and relowner <> 'backoffice_owner'::regrole and not exists (
    select from pg_depend
    where classid = 'pg_class'::regclass and objid = pg_class.oid
      and (deptype = 'e' or relkind = 'S' and deptype in ('a', 'i'))
  )
union all
select format('alter routine %I.%I(%s) owner to backoffice_owner', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid))
from pg_proc
join pg_namespace on pg_namespace.oid = pronamespace
where nspname in ('public', 'graphile_worker') and proowner <> 'backoffice_owner'::regrole and not exists (
  select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
)
union all
select format('alter type %I.%I owner to backoffice_owner', nspname, typname)
from pg_type
join pg_namespace on pg_namespace.oid = typnamespace
left join pg_class on pg_class.oid = typrelid
where nspname in ('public', 'graphile_worker') and (typtype in ('e', 'd', 'r') or typtype = 'c' and relkind = 'c')
  and typowner <> 'backoffice_owner'::regrole and not exists (
    select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e'
  )
\gexec

commit;
