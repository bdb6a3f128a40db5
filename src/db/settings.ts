import { sql } from 'slonik';
import { z } from 'zod';
import type { Setting } from '../contract/settings.ts';
import type { Database } from './pool.ts';

const settingRow = z.object({ key: z.string(), value: z.string() });

/** Every setting, ordered by its key. */
export async function selectSettings(db: Database): Promise<readonly Setting[]> {
  return await db.any(sql.type(settingRow)`
    select setting_key as key, setting_value as value from settings order by setting_key collate "C"
  `);
}

/** Writes settings in one statement, ordered by key, so that opposed batches cannot deadlock. */
export async function upsertSettings(db: Database, settings: readonly Setting[]): Promise<void> {
  await db.query(sql.unsafe`
    insert into settings (setting_key, setting_value)
    select key, value from ${sql.unnest(
      settings.map(({ key, value }) => [key, value]),
      ['text', 'text'],
    )} as given (key, value)
    order by key collate "C"
    on conflict (setting_key) do update set setting_value = excluded.setting_value, updated_at = now()
  `);
}

/** Removes a setting, where there is one of that key. */
export async function deleteSettingRow(db: Database, key: string): Promise<void> {
  await db.query(sql.unsafe`delete from settings where setting_key = ${key}`);
}
