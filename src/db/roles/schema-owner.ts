import type { Client } from 'pg';
import { ExpectedError } from '../../shared/errors.ts';
import { oneRow } from '../connection/own-connection.ts';

/** The role may not apply migrations. */
export class SchemaRightsError extends ExpectedError {
  override readonly name = 'SchemaRightsError';
  constructor(command: string) {
    super(
      'The role in DATABASE_URL may not change the schema. ' +
        `Run \`${command}\` with the URL of its owner in DATABASE_OWNER_URL.`,
    );
  }
}

/**
 * Returns the role that owns the schema if the role of a connection may act as it. If there is no schema yet, that is the
 * role of the connection, if it may create one.
 */
export async function findSchemaOwner(client: Client): Promise<string | undefined> {
  const { role, allowed } = await oneRow<{ role: string; allowed: boolean }>(
    client,
    `select owner.rolname::text as role,
       case when schema.oid is null then has_schema_privilege('public', 'CREATE') else pg_has_role(owner.oid, 'USAGE') end
         as allowed
     from (select to_regclass('public.migrations') as oid) as schema
     left join pg_class on pg_class.oid = schema.oid
     join pg_roles as owner on owner.oid = coalesce(relowner, current_user::regrole)`,
  );
  return allowed ? role : undefined;
}

/**
 * Makes a connection act as the owner of the schema, so that new tables belong to the same role as the others. Otherwise a
 * superuser's migration would leave tables that the next one, as the owner, may not change.
 */
export async function actAs(client: Client, owner: string): Promise<void> {
  await client.query(`set role ${client.escapeIdentifier(owner)}`);
}
