import type { Client } from 'pg';
import { ExpectedError } from '../../shared/errors.ts';
import { inTransaction } from '../connection/own-connection.ts';
import type { MigrationFile } from './files.ts';

// The schema was once made by 50 other migrations. The first files of `migrations/`, up to this one, make the same.
const newestOfBaseline = '0013_table_versions';

const oldestFormer = '0001_shared_functions';

/** Those of which the next statements know what is left to do. Version 0.2.0 ends with 0049. */
const adoptable = ['0048_sign_in_attempts', '0049_unused_parts', '0050_no_authority_lock'];

/** What to do about an older one. */
export const upgradeFirst = 'Upgrade to 0.2.0 first, then to this version.';

/** The database is older than every schema that this version can adopt. */
export class OldSchemaError extends ExpectedError {
  override readonly name = 'OldSchemaError';
  override readonly message =
    `The schema of this database is older than that of Backoffice 0.2.0. ${upgradeFirst}`;
}

/**
 * Reports whether a schema was made by the former migrations.
 *
 * @param applied - its migrations, in order
 * @throws OldSchemaError if it is older than that of 0.2.0
 */
export function isFormerSchema(applied: readonly { readonly name: string }[]): boolean {
  if (applied[0]?.name !== oldestFormer) return false;
  if (!adoptable.includes(applied.at(-1)?.name ?? '')) throw new OldSchemaError();
  return true;
}

/** Returns those of the migrations that make the former schema. */
export const baselineOf = (files: readonly MigrationFile[]): readonly MigrationFile[] =>
  files.filter(({ name }) => name <= newestOfBaseline);

/** Makes a former schema the one of the baseline, and its migrations those of the baseline. All data stay. */
export async function adoptFormerSchema(client: Client, files: readonly MigrationFile[]): Promise<void> {
  const baseline = baselineOf(files);
  await inTransaction(client, async () => {
    await removeFormerParts(client);
    await client.query(
      `with former as (
         delete from public.migrations returning run_on
       )
       insert into public.migrations (name, run_on, sha256)
       select name, (select max(run_on) from former), sha256
       from unnest($1::text[], $2::text[]) as baseline (name, sha256)`,
      [baseline.map(({ name }) => name), baseline.map(({ sha256 }) => sha256)],
    );
    await client.query('alter table public.migrations alter column sha256 drop default');
  });
}

/** Gives the baseline the columns and sequences that only backups of former schemas have, so that these can be restored. */
export async function addFormerParts(client: Client): Promise<void> {
  await client.query(`
    alter table public.job_workers add column opens_secrets boolean not null default false;
    create sequence public.authority_version;
  `);
}

/** Removes what former schemas have beyond the baseline: what their migrations 0049 and 0050 removed, if they were applied. */
export async function removeFormerParts(client: Client): Promise<void> {
  await client.query(`
    set local client_min_messages = warning;
    drop function if exists public.sort_in_search_entries(), public.forget_statistics(text[], text[]);
    alter table public.job_workers drop column if exists opens_secrets;
    comment on column public.webhooks.secret is 'whsec_ and base64, encrypted for webhook:<id>.';
    comment on column public.settings.is_secret is 'Whether the value is encrypted, for setting:<key>.';
    drop function if exists public.change_authority() cascade;
    drop function if exists public.hold_authority();
    drop sequence if exists public.authority_version;
    drop table if exists public.authority_lock;
  `);
}
