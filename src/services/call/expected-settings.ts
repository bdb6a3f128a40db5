import { type ExpectedSetting, notComparable } from '../../contract/schemas/changes/settings-change.ts';
import type { Database } from '../../db/connection/database.ts';
import { lockSettingRows } from '../../db/tables/settings.ts';
import { refuseChanged, shorten } from './expected.ts';
import { refuse } from './refuse.ts';

// The errors never have a value: the setting may become secret.

/**
 * Rejects the call if a setting no longer has the value that its caller saw. Locks the settings until the transaction
 * ends. Never compares a secret: each answer would tell whether a guess was right.
 *
 * @throws BackofficeError `changed`, or `invalid` for a value of a secret setting
 */
export async function checkExpectedSettings(
  tx: Database,
  expected: readonly ExpectedSetting[],
): Promise<void> {
  const keys = expected.map(({ key }) => key);
  const current = new Map((await lockSettingRows(tx, keys)).map((setting) => [setting.key, setting]));
  const secret = expected.find(({ key, value }) => value !== null && current.get(key)?.is_secret);
  if (secret !== undefined) refuse(notComparable(shorten(secret.key)));
  const changed = expected.filter(({ key, value }) => (current.get(key)?.value ?? null) !== value);
  refuseChanged(
    changed.map(({ key, value }) => {
      if (value === null) return isSetNow(key);
      return `${shorten(key)} ${current.has(key) ? 'has another value now' : 'is no longer set'}`;
    }),
  );
}

/**
 * Rejects the call if it has overwritten a setting that its caller expected not to be set: plain SQL may insert one
 * without the lock that this service takes.
 *
 * @param written - the settings, and whether each is new
 * @throws BackofficeError `changed`, which rolls back the write
 */
export function checkExpectedNew(
  expected: readonly ExpectedSetting[],
  written: readonly { readonly key: string; readonly is_new: boolean }[],
): void {
  const existing = new Set(written.filter(({ is_new }) => !is_new).map(({ key }) => key));
  const overwritten = expected.filter(({ key, value }) => value === null && existing.has(key));
  refuseChanged(overwritten.map(({ key }) => isSetNow(key)));
}

function isSetNow(key: string): string {
  return `${shorten(key)} is set now`;
}
