import type { SettingRow } from './row.ts';

export const settingsFilterNote = 'part of a key or value';

/** Returns the settings whose key or value contains the text, ignoring case. */
export function filterSettings(rows: readonly SettingRow[], text: string): readonly SettingRow[] {
  if (text === '') return rows;
  const wanted = text.toLowerCase();
  return rows.filter(
    ({ key, value }) => key.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted),
  );
}
