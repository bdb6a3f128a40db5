import { pages } from '../../../../src/contract/pages.ts';
import { FailedError } from '../../../errors.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import type { SettingRow } from './row.ts';

/** Returns what can be copied of a setting. */
export function settingSubject(setting: SettingRow | undefined): RowSubject | undefined {
  if (setting === undefined) return undefined;
  const { key, value, unreadable } = setting;
  return {
    short: { text: key, name: 'the key' },
    whole: {
      read() {
        if (unreadable !== undefined) throw new FailedError(unreadable);
        return value;
      },
      name: `the value of ${key}`,
    },
    page: `${pages.settings.path}?q=${encodeURIComponent(key)}`,
  };
}
