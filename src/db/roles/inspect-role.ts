import type { Client, QueryResultRow } from 'pg';
import { oneRow } from '../connection/own-connection.ts';
import { ownSchemas } from './grants.ts';

/** What a role may do that the runtime role need not. */
export interface RoleFacts {
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly mayCreateRoles: boolean;
  readonly mayCreateDatabases: boolean;
  readonly bypassesRowSecurity: boolean;
  /** It may copy the whole server, as a replica does. */
  readonly replicates: boolean;
  /** The superusers that it may act as, by `set role`. */
  readonly superusers: readonly string[];
  /** The roles of Postgres that it is a member of and that reach beyond the database, such as `pg_write_server_files`. */
  readonly serverRoles: readonly string[];
  /** It owns tables of the service, or may act as their owner. */
  readonly ownsTables: boolean;
  /** Where it may create objects, such as `schema public`. */
  readonly createsIn: readonly string[];
  /** The tables of the audit trail that it may write to, such as `audit_records (UPDATE, DELETE)`. */
  readonly changesAudit: readonly string[];
  /** Tables of the service that it may not read. */
  readonly cannotRead: readonly string[];
}

/** Returns what the role of a connection may do. */
export async function inspectRole(client: Client): Promise<RoleFacts> {
  return await oneRow<RoleFacts & QueryResultRow>(client, facts, [ownSchemas]);
}

const facts = `
  with may_be as (
    -- Itself, and what it may become by \`set role\`, for which Postgres asks no password.
    select * from pg_roles where pg_has_role(oid, 'MEMBER')
  ), own_schema as (
    select oid, nspname from pg_namespace where nspname = any($1::text[])
  ), own_table as (
    -- Those of the service have one owner. An operator may have others beside them.
    select c.oid, format('%I.%I', nspname, c.relname) as name, c.relname, c.relowner
    from pg_class as c
    join own_schema on own_schema.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relowner = (select relowner from pg_class where oid = to_regclass('public.migrations'))
  )
  select rolname::text as role, rolsuper as "isSuperuser",
    (select bool_or(rolcreaterole) from may_be) as "mayCreateRoles",
    (select bool_or(rolcreatedb) from may_be) as "mayCreateDatabases",
    (select bool_or(rolbypassrls) from may_be) as "bypassesRowSecurity",
    (select bool_or(rolreplication) from may_be) as replicates,
    array(select rolname::text from may_be where rolsuper order by 1) as superusers,
    array(
      -- Their members are as powerful as a superuser, or nearly.
      select rolname::text from may_be where rolname in (
        'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files', 'pg_write_all_data'
      )
      order by 1
    ) as "serverRoles",
    exists (select from own_table where relowner in (select oid from may_be)) as "ownsTables",
    array(
      select 'schema ' || nspname from own_schema where has_schema_privilege(own_schema.oid, 'CREATE')
      union all
      select 'the database' where has_database_privilege(current_database(), 'CREATE')
      union all
      select 'temporary tables' where has_database_privilege(current_database(), 'TEMPORARY')
    ) as "createsIn",
    array(
      select format('%s (%s)', relname, string_agg(privilege, ', ' order by place))
      from own_table
      cross join unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER'])
        with ordinality as change (privilege, place)
      where relname in ('audit_records', 'audit_anchors', 'recorded_changes') and case
        -- Where the service writes down its changes.
        when privilege = 'INSERT' and relname = 'recorded_changes' then false
        when privilege in ('INSERT', 'UPDATE') then has_any_column_privilege(own_table.oid, privilege)
        else has_table_privilege(own_table.oid, privilege)
      end
      group by relname
      order by relname
    ) as "changesAudit",
    array(select name from own_table where not has_table_privilege(oid, 'SELECT') order by name) as "cannotRead"
  from pg_roles
  where rolname = current_user
`;
