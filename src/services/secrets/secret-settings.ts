import { BackofficeError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/known-settings/settings.ts';
import type { Setting } from '../../contract/schemas/changes/settings-change.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import type { StoredSetting } from '../../db/tables/settings.ts';
import { keyIdOf, type SecretBox } from './secret-box.ts';

/** Settings as values by key. */
interface OpenedSettings {
  readonly settings: Settings;
  /** Why values are missing, by key. Absent if all were decrypted. */
  readonly unreadable?: Readonly<Record<string, string>>;
}

/** Decrypts settings. Leaves out those that cannot be decrypted, and says why: one lost secret must not hide all others. */
export function openSettings(secretBox: SecretBox, stored: readonly StoredSetting[]): OpenedSettings {
  const settings: [key: string, value: string][] = [];
  const unreadable: [key: string, reason: string][] = [];
  for (const setting of stored) {
    try {
      settings.push([setting.key, openSetting(secretBox, setting)]);
    } catch (error) {
      if (!(error instanceof BackofficeError)) throw error;
      unreadable.push([setting.key, error.message]);
    }
  }
  return {
    settings: Object.fromEntries(settings),
    ...(unreadable.length === 0 ? {} : { unreadable: Object.fromEntries(unreadable) }),
  };
}

/**
 * Returns the value of a setting.
 *
 * @throws BackofficeError if it cannot be decrypted
 */
export function openSetting(secretBox: SecretBox, { key, value, is_secret }: StoredSetting): string {
  if (!is_secret) return value;
  const keyId = keyIdOf(value);
  if (keyId !== undefined && !secretBox.keyIds.includes(keyId)) {
    const text =
      `The setting ${key} is encrypted with the key ${keyId}. Add that key to BACKOFFICE_ENCRYPTION_KEY, or write the ` +
      'setting again.';
    throw new BackofficeError({ code: 'not_configured', text });
  }
  try {
    return secretBox.open(value, purposeOf('setting', key));
  } catch (cause) {
    const text = `The setting ${key} cannot be decrypted, because SQL has written or copied it. Write it again.`;
    throw new BackofficeError({ code: 'failed', text }, { cause });
  }
}

/**
 * Returns a setting as it is stored: sealed if it is secret.
 *
 * @throws BackofficeError `not_configured` without keys
 */
export function toStoredSetting(
  secretBox: SecretBox,
  { key, value, secret = false }: Setting,
): StoredSetting {
  return secret
    ? { key, value: secretBox.seal(value, purposeOf('setting', key)), is_secret: true }
    : { key, value, is_secret: false };
}
