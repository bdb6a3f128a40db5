/**
 * A query that returns the statements that make the role backoffice_owner the owner of everything in the schemas of the
 * service. deploy/roles.sql has it too.
 *
 * What belongs to an extension stays, and sequences of columns follow their tables.
 */
export const transferStatements = `
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
`;
