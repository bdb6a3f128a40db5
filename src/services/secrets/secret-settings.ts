import { BackofficeError } from '../../contract/errors.ts';
import type { Settings } from '../../contract/known-settings/settings.ts';
import type { Setting } from '../../contract/schemas/changes/settings-change.ts';
import { purposeOf } from '../../db/tables/sealed-columns.ts';
import type { StoredSetting } from '../../db/tables/settings.ts';
import { keyIdOf, type SecretBox } from './secret-box.ts';

/** Returns settings as values by key, the secret ones decrypted. */
export function openSettings(secretBox: SecretBox, stored: readonly StoredSetting[]): Settings {
  return Object.fromEntries(stored.map((setting) => [setting.key, openSetting(secretBox, setting)]));
}

/** Returns the value of a setting. One that SQL has written since is still in clear text. */
function openSetting(secretBox: SecretBox, { key, value, is_secret }: StoredSetting): string {
  const keyId = is_secret ? keyIdOf(value) : undefined;
  if (keyId === undefined) return value;
  if (!secretBox.keyIds.includes(keyId)) {
    const text =
      `The setting ${key} is encrypted with the key ${keyId}. Add that key to BACKOFFICE_ENCRYPTION_KEY, or write the ` +
      'setting again.';
    throw new BackofficeError({ code: 'not_configured', text });
  }
  try {
    return secretBox.open(value, purposeOf('setting', key));
  } catch (cause) {
    const text = `The setting ${key} cannot be decrypted, because SQL has changed or copied it. Write it again.`;
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
