import type { Settings } from '../../src/contract/operations/settings.ts';
import { FailedError } from '../errors.ts';
import type { Access } from './access.ts';

/** All settings, without the analytics. */
export async function readSettings(access: Access): Promise<Settings> {
  return (await access.call('settings.show', { section: 'none' })).settings;
}

/**
 * Changes an entry of a setting that holds a JSON object. What is stored is read right before it is written, so that a
 * change that another made meanwhile, as while a question waited for its answer, is kept.
 *
 * @param change - gives the text to store for the one that is stored; null where that is no JSON object
 * @throws FailedError in that case, and then leaves the setting as it is
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
      `The setting ${key} is no JSON object, so nothing was changed. See it with backoffice settings get ${key}, and ` +
        `mend it with backoffice settings set, or remove it with backoffice settings unset ${key}.`,
    );
  }
  await access.call('settings.update', { updates: { [key]: value } });
}
