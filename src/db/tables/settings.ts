import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Setting } from '../../contract/schemas/settings-change.ts';
import type { Database } from '../connection/pool.ts';
import type { RecordChanged } from '../outbox/record-in-statement.ts';

const settingRow = z.object({ key: z.string(), value: z.string() });

/** Returns the settings as values by key: all, or those with the given keys. */
export async function selectSettings(
  db: Database,
  keys?: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const rows = await db.any(sql.type(settingRow)`
    select setting_key as key, setting_value as value
    from settings
    where ${keys === undefined ? sql.fragment`true` : sql.fragment`setting_key = any(${sql.array(keys, 'text')})`}
    order by setting_key collate "C"
  `);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

const sizeRow = z.object({ bytes: z.int() });

/** Returns the size of the settings' keys and values in bytes, without the given keys. */
export async function selectSettingsBytes(
  db: Database,
  { without }: { readonly without: readonly string[] },
): Promise<number> {
  return await db.oneFirst(sql.type(sizeRow)`
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
export async function lockSettings(tx: Database, lock: SettingsLock): Promise<void> {
  await tx.query(sql.unsafe`select ${settingsLock(lock)}`);
}

interface SettingsLock {
  readonly exclusive: boolean;
}

function settingsLock({ exclusive }: SettingsLock): FragmentSqlToken {
  const lock = exclusive ? sql.fragment`pg_advisory_xact_lock` : sql.fragment`pg_advisory_xact_lock_shared`;
  return sql.fragment`${lock}(hashtext('backoffice'), hashtext('settings'))`;
}

/** Returns the values of settings by key, and locks their rows until the transaction ends. */
export async function lockSettingRows(
  tx: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.any(sql.type(settingRow)`
    select setting_key as key, setting_value as value
    from settings
    where setting_key = any(${sql.array(keys, 'text')})
    order by setting_key collate "C"
    for update
  `);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

const upsertedSetting = z.object({ key: z.string(), is_new: z.boolean() });

/**
 * Inserts or updates settings in one statement, ordered by key, so that batches in opposite orders cannot deadlock.
 *
 * @returns the keys, and whether each is new
 */
export async function upsertSettings(
  db: Database,
  settings: readonly Setting[],
): Promise<readonly z.infer<typeof upsertedSetting>[]> {
  return await db.any(sql.type(upsertedSetting)`
    insert into settings (setting_key, setting_value)
    select key, value from ${sql.unnest(
      settings.map(({ key, value }) => [key, value]),
      ['text', 'text'],
    )} as given (key, value)
    order by key collate "C"
    on conflict (setting_key) do update set setting_value = excluded.setting_value, updated_at = now()
    -- xmax is set only on a row that existed before.
    returning setting_key as key, xmax = 0 as is_new
  `);
}

/**
 * Inserts or updates one setting and records it. It waits as `lockSettings` does, which it includes. Returns false if all
 * settings would then have more bytes than the given maximum.
 */
export async function upsertSetting(
  db: Database,
  { key, value }: Setting,
  maxBytes: number,
  record: RecordChanged,
): Promise<boolean> {
  const { rowCount } = await db.query(sql.unsafe`
    with locked as materialized (select ${settingsLock({ exclusive: false })}),
    others as materialized (
      select coalesce(sum(octet_length(setting_key) + octet_length(setting_value)), 0) as bytes
      from locked left join settings on setting_key <> ${key}
    ),
    changed as (
      insert into settings (setting_key, setting_value)
      select ${key}, ${value} from others
      where bytes + octet_length(${key}) + octet_length(${value}) <= ${maxBytes}
      on conflict (setting_key) do update set setting_value = excluded.setting_value, updated_at = now()
      -- xmax is set only on a row that existed before.
      returning setting_key as id, xmax = 0 as is_new
    ),
    ${record({ id: sql.fragment`id`, isNew: sql.fragment`is_new` })}
    select from changed
  `);
  return rowCount > 0;
}

/** Deletes a setting and records that. Returns whether there was one with the key. */
export async function deleteSettingRow(db: Database, key: string, record: RecordChanged): Promise<boolean> {
  const { rowCount } = await db.query(sql.unsafe`
    with changed as (delete from settings where setting_key = ${key} returning setting_key as id),
    ${record({ id: sql.fragment`id` })}
    select from changed
  `);
  return rowCount > 0;
}
