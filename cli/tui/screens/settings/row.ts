import type { TableColumn } from '../../components/table.tsx';
import { theme } from '../../theme.ts';

export interface SettingRow {
  readonly key: string;
  /** Empty if it is secret. */
  readonly value: string;
  readonly isSecret: boolean;
}

export const settingTableColumns: readonly TableColumn<SettingRow>[] = [
  { heading: 'key', value: ({ key }) => key, width: 28, paint: () => theme.accent },
  {
    heading: 'value',
    value: ({ value, isSecret }) => (isSecret ? '(secret)' : value),
    width: 'rest',
    paint: ({ isSecret }) => (isSecret ? theme.quiet : (text) => text),
  },
];
