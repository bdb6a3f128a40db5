import { pages } from '../../../../src/contract/pages.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import type { SettingRow } from './row.ts';

/** Returns what can be copied of a setting. */
export function settingSubject(setting: SettingRow | undefined): RowSubject | undefined {
  if (setting === undefined) return undefined;
  const { key, value } = setting;
  return {
    short: { text: key, name: 'the key' },
    whole: { read: () => value, name: `the value of ${key}` },
    page: `${pages.settings.path}?q=${encodeURIComponent(key)}`,
  };
}
