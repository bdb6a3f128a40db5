import type { TableColumn } from '../../components/table.tsx';
import { theme } from '../../theme.ts';

export interface SettingRow {
  readonly key: string;
  /** Empty if it cannot be decrypted. */
  readonly value: string;
  /** Why the value cannot be decrypted. */
  readonly unreadable?: string | undefined;
}

export const settingTableColumns: readonly TableColumn<SettingRow>[] = [
  { heading: 'key', value: ({ key }) => key, width: 28, paint: () => theme.accent },
  {
    heading: 'value',
    value: ({ value, unreadable }) => unreadable ?? value,
    width: 'rest',
    paint: ({ unreadable }) => (unreadable === undefined ? (text) => text : theme.bad),
  },
];
