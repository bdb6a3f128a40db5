import type { Client } from 'pg';
import { jobSchema } from '../job-queue/pool.ts';

/** The schemas whose objects belong to the service. */
export const ownSchemas = ['public', jobSchema] as const;

/** What the runtime role may do with the rows of a table. Never TRUNCATE, TRIGGER, REFERENCES or MAINTAIN. */
const tablePrivileges = `array['SELECT', 'INSERT', 'UPDATE', 'DELETE']`;

/** What it may do with a sequence. */
const sequencePrivileges = `array['USAGE', 'SELECT']`;

/**
 * The tables of which it may do less: the audit trail, and which migrations are applied. Functions that run as the owner
 * move changes from recorded_changes to the trail, redact records and delete those that are too old.
 */
const restrictedTables = {
  'public.audit_records': ['SELECT'],
  'public.audit_anchors': ['SELECT'],
  'public.recorded_changes': ['SELECT', 'INSERT'],
  'public.migrations': ['SELECT'],
  [`${jobSchema}.migrations`]: ['SELECT'],
};

/**
 * Gives a role the rights of the runtime role on everything that the current role owns, and takes away what it has beyond
 * that. Tables of later migrations get these rights by default, so that nothing fails between a migration and the next
 * call. Changes only what is different.
 */
export async function grantRuntime(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(differences, [role, ownSchemas]);
  if (rows.length === 0) return;
  await client.query(rows.map(({ statement }) => statement).join(';\n'));
}

/** Returns the roles that have the rights of the runtime role by default, other than the current role. */
export async function findRuntimeRoles(client: Client): Promise<string[]> {
  // Nobody else has a reason to set default rights in the schema of the job queue.
  const { rows } = await client.query<{ role: string }>(
    `select distinct rolname::text as role
     from pg_default_acl
     cross join lateral aclexplode(defaclacl) as given
     join pg_roles on pg_roles.oid = given.grantee
     where defaclnamespace = to_regnamespace($1) and defaclobjtype = 'r' and given.privilege_type = 'INSERT'
       and pg_has_role(defaclrole, 'USAGE') and rolname <> current_user
     order by role`,
    [jobSchema],
  );
  return rows.map(({ role }) => role);
}

/**
 * Statements that make the rights what they should be. Parameters: the role and the schemas. Objects of other owners are
 * left alone, as are those of extensions.
 */
const differences = `
  with runtime as (
    select oid from pg_roles where rolname = $1
  ), own_schema as (
    select oid, nspname, nspacl, nspowner from pg_namespace where nspname = any($2::text[])
  ), object as (
    select 1 as place, 'pg_namespace'::regclass as catalog, oid, format('schema %I', nspname) as name, nspacl as acl,
      array['USAGE'] as wanted, nspowner as owner
    from own_schema
    where not has_schema_privilege('public', oid, 'USAGE')
    union all
    select 2, 'pg_class'::regclass, pg_class.oid,
      format('%s %I.%I', case relkind when 'S' then 'sequence' else 'table' end, nspname, relname), relacl,
      case
        when relkind = 'S' then ${sequencePrivileges}
        when relkind = 'v' then array['SELECT']
        else coalesce(
          (
            select array_agg(privilege)
            from jsonb_array_elements_text(
              '${JSON.stringify(restrictedTables)}'::jsonb -> format('%s.%s', nspname, relname)
            ) as restricted (privilege)
          ),
          ${tablePrivileges}
        )
      end,
      relowner
    from pg_class join own_schema on own_schema.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    -- What everyone may call needs no right of its own. Triggers fire without one, and nobody else may use their functions.
    select 3, 'pg_proc'::regclass, pg_proc.oid,
      format('routine %I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid)), proacl,
      case when prorettype = 'trigger'::regtype then '{}' else array['EXECUTE'] end, proowner
    from pg_proc join own_schema on own_schema.oid = pronamespace
    where not has_function_privilege('public', pg_proc.oid, 'EXECUTE')
  ), difference as (
    select place, name, wanted, array(
      select privilege_type from aclexplode(acl) where grantee = runtime.oid
    ) as given
    from object cross join runtime
    where pg_has_role(owner, 'USAGE') and owner <> runtime.oid and not exists (
      select from pg_depend where classid = catalog and objid = object.oid and deptype = 'e'
    )
  ), default_acl (kind, plural, wanted) as (
    values ('r'::"char", 'tables', ${tablePrivileges}), ('S', 'sequences', ${sequencePrivileges})
  )
  select statement
  from (
    select place, format('%s %s on %s %s %I', verb, array_to_string(rights, ', '), name, particle, $1) as statement
    from difference cross join lateral (
      values ('grant', 'to', array(select unnest(wanted) except select unnest(given))),
        ('revoke', 'from', array(select unnest(given) except select unnest(wanted)))
    ) as change (verb, particle, rights)
    where rights <> '{}'
    union all
    select 4, format(
      'alter default privileges in schema %I grant %s on %s to %I', nspname, array_to_string(wanted, ', '), plural, $1
    )
    from own_schema cross join default_acl cross join runtime
    where not wanted <@ array(
      select privilege_type
      from pg_default_acl cross join lateral aclexplode(defaclacl) as given
      where defaclrole = current_user::regrole and defaclnamespace = own_schema.oid and defaclobjtype = kind
        and given.grantee = runtime.oid
    )
    union all
    -- The tables of the job queue let only their owner see rows.
    select 5, format('create policy %I on %I.%I to %I using (true) with check (true)', $1, nspname, relname, $1)
    from pg_class join own_schema on own_schema.oid = relnamespace cross join runtime
    where relrowsecurity and pg_has_role(relowner, 'USAGE') and not exists (
      select from pg_policy where polrelid = pg_class.oid and runtime.oid = any(polroles)
    )
  ) as statements
  order by place, statement
`;
