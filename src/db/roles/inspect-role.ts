import { withConnection } from '../connection/own-connection.ts';
import { migrationsTable } from '../migrate/migration-lock.ts';
import { auditTables, ownSchemas } from './wanted-grants.ts';

/** What a role may do that the runtime role need not. */
export interface RoleFacts {
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly mayCreateRoles: boolean;
  readonly bypassesRowSecurity: boolean;
  /** It owns tables of the service, or may act as their owner. */
  readonly ownsTables: boolean;
  /** Where it may create objects, such as `schema public`. */
  readonly createsIn: readonly string[];
  /** The tables of the audit trail that it may change, such as `audit_records (UPDATE, DELETE)`. */
  readonly changesAudit: readonly string[];
  /** Tables of the service that it may not read. */
  readonly cannotRead: readonly string[];
}

/** Returns what the role of a connection may do. */
export async function inspectRole(databaseUrl: string): Promise<RoleFacts> {
  return await withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<RoleFacts>(facts, [
      ownSchemas,
      auditTables,
      `public.${migrationsTable}`,
    ]);
    const [found] = rows;
    if (found === undefined) throw new Error('The server returned no row.');
    return found;
  });
}

const facts = `
  with own_schema as (
    select oid, nspname from pg_namespace where nspname = any($1::text[])
  ), own_table as (
    -- Those of the service have one owner. An operator may have others beside them.
    select c.oid, format('%I.%I', nspname, c.relname) as name, c.relname, c.relowner
    from pg_class as c
    join own_schema on own_schema.oid = c.relnamespace
    where c.relkind in ('r', 'p') and c.relowner = (select relowner from pg_class where oid = to_regclass($3))
  )
  select rolname::text as role, rolsuper as "isSuperuser", rolcreaterole as "mayCreateRoles",
    rolbypassrls as "bypassesRowSecurity",
    exists (select from own_table where pg_has_role(relowner, 'USAGE')) as "ownsTables",
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
      cross join unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) with ordinality as change (privilege, place)
      where relname = any($2::text[]) and case
        when privilege = 'UPDATE' then has_any_column_privilege(own_table.oid, privilege)
        else has_table_privilege(own_table.oid, privilege)
      end
      group by relname
      order by relname
    ) as "changesAudit",
    array(select name from own_table where not has_table_privilege(oid, 'SELECT') order by name) as "cannotRead"
  from pg_roles
  where rolname = current_user
`;
