import type { TableColumn } from '../../components/table.tsx';
import { theme } from '../../theme.ts';

export interface SettingRow {
  readonly key: string;
  readonly value: string;
}

export const settingTableColumns: readonly TableColumn<SettingRow>[] = [
  { heading: 'key', value: ({ key }) => key, width: 28, paint: () => theme.accent },
  { heading: 'value', value: ({ value }) => value, width: 'rest' },
];
