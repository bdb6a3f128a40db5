import type { Settings } from '../../src/contract/known-settings/settings.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { FailedError } from '../errors.ts';
import type { Access } from './access.ts';

/** Returns the values of all settings that are not secret. */
export async function readSettings(access: Access): Promise<Settings> {
  return (await readAllSettings(access)).settings;
}

interface AllSettings {
  readonly settings: Settings;
  /** The keys of the secret settings, whose values are returned to nobody. */
  readonly secrets: ReadonlySet<string>;
}

/** Returns all settings, and the keys of the secret ones. */
export async function readAllSettings({ call }: Pick<Access, 'call'>): Promise<AllSettings> {
  // A section that does not exist leaves out the analytics.
  const { settings, details = {} } = await call('settings.show', { section: 'none', include: 'details' });
  return { settings, secrets: secretsIn(details) };
}

/** Returns the keys of the secret settings. */
export function secretsIn(details: NonNullable<OutputOf<'settings.show'>['details']>): ReadonlySet<string> {
  return new Set(Object.keys(details).filter((key) => details[key]?.is_secret));
}

/** Says that the value of a setting cannot be read. */
export function secretSentence(key: string): string {
  return `The setting ${key} is secret: its value is shown to nobody. Set it again to replace it.`;
}

/**
 * Changes an entry of a setting whose value is a JSON object. It reads the stored value right before it writes, and is
 * rejected if the value changes in between, so that a change which somebody else makes is kept.
 *
 * @param change - returns the new value for the stored one; null if the stored value is not a JSON object
 * @throws FailedError if the stored value is not a JSON object; the setting stays as it is
 */
export async function editSetting(
  access: Access,
  key: string,
  change: (stored: string | undefined) => string | null,
): Promise<void> {
  const { [key]: stored } = await readSettings(access);
  const value = change(stored);
  if (value === null) {
    throw new FailedError(
      `The setting ${key} is not a JSON object. Nothing was changed. Run \`backoffice settings get ${key}\` to see it, ` +
        'then `backoffice settings set` to fix it or `backoffice settings unset` to delete it.',
    );
  }
  await access.call('settings.update', { updates: { [key]: value }, expected: { [key]: stored ?? null } });
}
