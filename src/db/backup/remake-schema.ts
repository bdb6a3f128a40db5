import type { Client } from 'pg';
import type { MigrationFile } from '../migrate/files.ts';
import { apply } from '../migrate/status.ts';
import { actAs, findSchemaOwner, SchemaRightsError } from '../roles/schema-owner.ts';

/**
 * Empties the database, and applies migrations to it, in the transaction that is open on a connection. The job queue and the
 * table of migrations stay.
 */
export async function remakeSchema(client: Client, files: readonly MigrationFile[]): Promise<void> {
  const owner = await findSchemaOwner(client);
  if (owner === undefined) throw new SchemaRightsError('backoffice restore');
  await actAs(client, owner);
  await client.query('set local search_path = public; set local client_min_messages = warning');
  await client.query(dropAll);
  for (const file of files) await apply(client, file);
}

/** All objects in the schema but those of extensions. Some are gone with others before it is their turn. */
const dropAll = `
  do $$
  declare
    statement text;
  begin
    foreach statement in array array(
      select format('drop %s if exists %s cascade', kind, name)
      from (
        select case relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
          oid::regclass::text, 'pg_class'::regclass, oid
        from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S', 'c')
          and oid not in ('migrations'::regclass, pg_get_serial_sequence('migrations', 'id')::regclass)
        union all
        select 'routine', oid::regprocedure::text, 'pg_proc'::regclass, oid
        from pg_proc where pronamespace = 'public'::regnamespace
      ) as object (kind, name, catalog, oid)
      where not exists (
        select from pg_depend where classid = object.catalog and objid = object.oid and deptype = 'e'
      )
    ) loop
      execute statement;
    end loop;
    delete from migrations;
  end
  $$`;
