import type { Client } from 'pg';
import { remakeSchema } from '../../../src/db/backup/restore-target.ts';
import { inTransaction, withConnection } from '../../../src/db/connection/own-connection.ts';
import { readMigrationFiles } from '../../../src/db/migrate/files.ts';
import { baselineOf } from '../../../src/db/migrate/former-schema.ts';

/** The first of the former migrations and the last ones, which tell what schema a database has. */
const formerMigrations = [
  '0001_shared_functions',
  '0047_events_after',
  '0048_sign_in_attempts',
  '0049_unused_parts',
  '0050_no_authority_lock',
];

/** Returns the names of the migrations after the baseline. */
export async function namesAfterBaseline(): Promise<readonly string[]> {
  const files = await readMigrationFiles();
  return files.slice(baselineOf(files).length).map(({ name }) => name);
}

/** Empties a database, and makes it one with the migrations of the baseline only. */
export async function makeBaseline(url: string): Promise<void> {
  const files = baselineOf(await readMigrationFiles());
  // The client of other tests would publish changes meanwhile, which waits for the locks of this.
  await withConnection(url, (client) => inTransaction(client, () => remakeSchema(client, files)));
}

/**
 * Makes a database one as the former migrations made it: that of the baseline, without what the last of them did. It has no
 * rows.
 *
 * @param newest - the number of the newest that is applied: 47 to 50
 */
export async function makeFormerSchema(url: string, newest: number): Promise<void> {
  await makeBaseline(url);
  await withConnection(url, async (client) => {
    for (const [number, revert] of reverts) if (newest < number) await client.query(revert);
    await client.query(`
      alter table migrations alter column sha256 set default current_setting('backoffice.migration_sha256');
      delete from migrations;
    `);
    const insert = 'insert into migrations (name, run_on, sha256) values ($1, $2, $3)';
    for (const name of formerMigrations.filter((each) => Number(each.slice(0, 4)) <= newest))
      await client.query(insert, [name, `2026-11-01 12:${name.slice(2, 4)}Z`, '0'.repeat(64)]);
  });
}

/** What the last migrations removed or added. Of what they removed, the names and the signatures. */
const reverts: readonly (readonly [number, string])[] = [
  [
    50,
    `
create table authority_lock ();
create sequence authority_version;
create function hold_authority() returns bigint language sql as 'select 1::bigint';
create function change_authority() returns trigger language plpgsql as 'begin return null; end';
create trigger sessions_change_authority after delete on sessions execute function change_authority();
create trigger sessions_rewind_authority after update on sessions for each row execute function change_authority();
create trigger admins_change_authority after delete on admins execute function change_authority();
create trigger api_tokens_change_authority after delete on api_tokens execute function change_authority();
create trigger api_tokens_rewind_authority after update on api_tokens for each row execute function change_authority();
    `,
  ],
  [
    49,
    `
comment on column settings.is_secret is 'A value that SQL writes is in clear text until the service has encrypted it.';
comment on column webhooks.secret is 'In clear text until the service has encrypted it.';
alter table job_workers add column opens_secrets boolean not null default false;
create function forget_statistics(tables text[], texts text[]) returns void language sql as '';
create function sort_in_search_entries() returns void language sql as '';
    `,
  ],
  [
    48,
    `
drop function end_attempt(text[], text[], text[], integer);
drop function start_attempt(text[], integer[], integer, integer);
drop function lock_attempts(text[], integer);
    `,
  ],
];

/**
 * Describes everything that migrations created in the schema `public`, one line each in Postgres' own words, without
 * the table of migrations and what belongs to extensions. Two schemas are equal if their lines are.
 */
export async function schemaSnapshot(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    with relation as (
      select oid, relname, relkind, reloptions
      from pg_class
      where relnamespace = 'public'::regnamespace and relname not like 'migrations%'
    ),
    own_function as (
      select oid from pg_proc
      where pronamespace = 'public'::regnamespace
        and not exists (
          select from pg_depend
          where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
        )
    )
    select line from (
      select format('%s %s %s', relkind, relname, reloptions) from relation
      union all
      select format('view %s %s', relname, pg_get_viewdef(oid)) from relation where relkind = 'v'
      union all
      select format('index %s', pg_get_indexdef(oid)) from relation where relkind = 'i'
      union all
      select format('column %s.%s %s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod),
        attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid))
      from relation
      join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      union all
      select format('constraint %s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
      from relation join pg_constraint on conrelid = relation.oid
      union all
      select format('trigger %s', pg_get_triggerdef(pg_trigger.oid))
      from relation join pg_trigger on tgrelid = relation.oid and not tgisinternal
      union all
      select pg_get_functiondef(pg_proc.oid) from own_function join pg_proc using (oid) where prokind <> 'a'
      union all
      select format('execute %s by all %s', oid::regprocedure, has_function_privilege('public', oid, 'execute'))
      from own_function
      union all
      select format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
      from pg_description
      where objoid in (select oid from relation union all select oid from own_function)
    ) as described (line)
    order by line collate "C"
  `);
  return rows.map(({ line }) => line);
}
