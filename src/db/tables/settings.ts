import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Settings } from '../../contract/known-settings/settings.ts';
import type { Database } from '../connection/database.ts';
import { maxAuditedLength } from '../outbox/record-changes.ts';
import { isoTimestamp } from '../timestamps.ts';
import { givenRows, numberRow } from './statements.ts';

export const settingRow = z.object({ key: z.string(), value: z.string() });

/** Returns the values of settings that the service reads itself, by key. They are never secret. */
export async function selectSettings(db: Database, keys: readonly string[]): Promise<Settings> {
  const rows = await db.any(sql.type(settingRow)`
    select setting_key as key, setting_value as value
    from settings
    where setting_key = any(${sql.array([...keys], 'text')})
    order by setting_key collate "C"
  `);
  return valuesByKey(rows);
}

const storedSettingSchema = settingRow.extend({ is_secret: z.boolean() });

/** A setting as it is stored. The value of a secret one is encrypted, unless SQL has written it. */
export type StoredSetting = z.infer<typeof storedSettingSchema>;

/** Selects all settings that anybody may read, ordered by key: not the secret ones. */
export const readableSettings = sql.fragment`
  select setting_key as key, setting_value as value from settings where not is_secret order by setting_key collate "C"
`;

const settingDetails = z.object({
  key: z.string(),
  is_secret: z.boolean(),
  updated_at: z.string(),
  updated_by: z.string().nullable(),
});

/** Returns what is known of each setting besides its value. */
export async function selectSettingDetails(db: Database) {
  return await db.any(sql.type(settingDetails)`
    select setting_key as key, is_secret, ${isoTimestamp(sql.fragment`updated_at`)} as updated_at,
      -- What SQL or an older version has written since has another time.
      case when authored_at = updated_at then author end as updated_by
    from settings order by setting_key collate "C"
  `);
}

/** Returns the values of all settings that anybody may read, by key. */
export async function selectReadableSettings(db: Database): Promise<Settings> {
  return valuesByKey(await db.any(sql.type(settingRow)`${readableSettings}`));
}

/** Returns the values of settings by key. */
export function valuesByKey(rows: readonly z.infer<typeof settingRow>[]): Settings {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Returns the size of the settings' keys and values in bytes, without the given keys. */
export async function selectSettingsBytes(
  db: Database,
  { without }: { readonly without: readonly string[] },
): Promise<number> {
  return await db.oneFirst(sql.type(numberRow)`
    select coalesce(sum(octet_length(setting_key) + octet_length(setting_value)), 0) as bytes
    from settings
    where setting_key <> all(${sql.array(without, 'text')})
  `);
}

/**
 * Makes other changes of settings wait until this transaction ends: all, or only the exclusive ones. Without it, a change
 * that first locks the settings it compares could deadlock with a batch, and a setting that does not exist yet has no row
 * to lock.
 */
export async function lockSettings(tx: Database, { exclusive }: { readonly exclusive: boolean }) {
  const lock = exclusive ? sql.fragment`pg_advisory_xact_lock` : sql.fragment`pg_advisory_xact_lock_shared`;
  await tx.query(sql.unsafe`select ${lock}(hashtext('backoffice'), hashtext('settings'))`);
}

/** Returns settings as they are stored, and locks their rows until the transaction ends. */
export async function lockSettingRows(tx: Database, keys: readonly string[]) {
  return await tx.any(sql.type(storedSettingSchema)`
    select setting_key as key, setting_value as value, is_secret
    from settings
    where setting_key = any(${sql.array(keys, 'text')})
    order by setting_key collate "C"
    for update
  `);
}

/** A text of a value as the audit trail has it: null if it is secret. */
const audited = (value: FragmentSqlToken, isSecret: FragmentSqlToken) =>
  sql.fragment`case when not ${isSecret} then left(${value}, ${maxAuditedLength + 1}) end`;

const upsertedSetting = z.object({
  key: z.string(),
  is_new: z.boolean(),
  /** The values as the audit trail has them. Null for one that is secret; the one before also if it is secret now. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export type WrittenSetting = z.infer<typeof upsertedSetting>;

/**
 * Inserts or updates settings in one statement, ordered by key, so that batches in opposite orders cannot deadlock. Locks
 * but leaves a secret setting that would be overwritten in clear text, unless `reveal` allows that, and one that somebody
 * else has changed since the statement began: its value before is not known. Returns the settings that were written.
 */
export async function upsertSettings(
  db: Database,
  settings: readonly StoredSetting[],
  { author, reveal = false }: { readonly author: string; readonly reveal?: boolean },
) {
  const keys = sql.array(
    settings.map(({ key }) => key),
    'text',
  );
  return await db.any(sql.type(upsertedSetting)`
    with seen as materialized (
      select setting_key as key, setting_value as value, is_secret from settings where setting_key = any(${keys})
    ),
    written as (
      insert into settings (setting_key, setting_value, is_secret, author, updated_at, authored_at)
      select key, value, is_secret, ${author}, now(), now() from ${givenRows(settings, { key: 'text', value: 'text', is_secret: 'bool' })}
      order by key collate "C"
      on conflict (setting_key) do update set
        setting_value = excluded.setting_value, is_secret = excluded.is_secret,
        author = excluded.author, updated_at = now(), authored_at = now()
      where (excluded.is_secret or not settings.is_secret or ${reveal})
        and settings.setting_value = (select value from seen where seen.key = settings.setting_key)
      -- xmax is set only on a row that existed before.
      returning setting_key as key, setting_value as value, is_secret, xmax = 0 as is_new
    )
    select written.key, is_new,
      ${audited(sql.fragment`seen.value`, sql.fragment`(seen.is_secret or written.is_secret)`)} as before,
      ${audited(sql.fragment`written.value`, sql.fragment`written.is_secret`)} as after
    from written
    left join seen on seen.key = written.key
  `);
}

const deletedSetting = upsertedSetting.pick({ key: true, before: true });

/** Deletes settings. Returns those that existed. */
export async function deleteSettingRows(tx: Database, keys: readonly string[]) {
  return await tx.any(sql.type(deletedSetting)`
    delete from settings where setting_key = any(${sql.array(keys, 'text')})
    returning setting_key as key, ${audited(sql.fragment`setting_value`, sql.fragment`is_secret`)} as before
  `);
}
