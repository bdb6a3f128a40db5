import { pages } from '../../../../src/contract/pages.ts';
import { secretSentence } from '../../../access/settings.ts';
import { FailedError } from '../../../errors.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import type { SettingRow } from './row.ts';

/** Returns what can be copied of a setting. */
export function settingSubject(setting: SettingRow | undefined): RowSubject | undefined {
  if (setting === undefined) return undefined;
  const { key, value, isSecret } = setting;
  return {
    short: { text: key, name: 'the key' },
    whole: {
      read() {
        if (isSecret) throw new FailedError(secretSentence(key));
        return value;
      },
      name: `the value of ${key}`,
    },
    page: `${pages.settings.path}?q=${encodeURIComponent(key)}`,
  };
}
