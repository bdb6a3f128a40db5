import type { Client } from 'pg';
import { remakeSchema } from '../../../src/db/backup/restore-target.ts';
import { inTransaction, withConnection } from '../../../src/db/connection/own-connection.ts';
import { readMigrationFiles } from '../../../src/db/migrate/files.ts';
import { baselineOf } from '../../../src/db/migrate/former-schema.ts';

/** The former migrations, of which the baseline makes the same schema. */
const names = `
  0001_shared_functions 0002_issues 0003_issue_counters 0004_issue_statistics 0005_conversations 0006_settings
  0007_admins 0008_sessions 0009_api_tokens 0010_rate_limits 0011_token_usage 0012_scraping 0013_trail
  0014_threads_and_links 0015_ingestion 0016_webhooks 0017_last_days 0018_scraping_run_list 0019_owners_functions
  0020_changes 0021_collaboration 0022_idempotency_keys 0023_event_envelope 0024_search 0025_list_order
  0026_recorded_changes 0027_authority_changes 0028_filter_indexes 0029_minute_counters 0030_fetch_joined
  0031_search_indexes 0032_conversation_preview 0033_token_usage_buckets 0034_stored_list_rows 0035_secrets 0036_mail
  0037_factors 0038_accounts 0039_audit_chain 0040_visitors 0041_roles 0042_tokens 0043_publication_speed
  0044_known_networks 0045_setting_authors 0046_delivery_type_index 0047_events_after 0048_sign_in_attempts
  0049_unused_parts 0050_no_authority_lock`
  .trim()
  .split(/\s+/);

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
    await client.query(
      `insert into migrations (name, run_on, sha256)
       select name, timestamptz '2026-11-01 12:00Z' + place * interval '1 minute', encode(sha256(name::bytea), 'hex')
       from unnest($1::text[]) with ordinality as former (name, place)`,
      [names.slice(0, newest)],
    );
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
