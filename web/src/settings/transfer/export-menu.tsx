import { Menu } from '@mantine/core';
import { download } from '../../parts/files/download.ts';
import type { SettingRow } from '../setting-rows.ts';
import { ExportButton } from './export-button.tsx';

interface ExportMenuProps {
  readonly rows: readonly SettingRow[];
  /** What the filters find; undefined without filters. */
  readonly found: readonly SettingRow[] | undefined;
}

/** Saves settings as the JSON that `backoffice settings export` writes, and that the import reads. */
export function ExportMenu({ rows, found }: ExportMenuProps) {
  const hasSecrets = rows.some(({ isSecret }) => isSecret);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ExportButton />
      </Menu.Target>
      <Menu.Dropdown>
        {found !== undefined && <Menu.Item onClick={() => saveJson(found)}>What is shown, as JSON</Menu.Item>}
        <Menu.Item onClick={() => saveJson(rows)}>
          {hasSecrets ? 'All but secrets, as JSON' : 'All, as JSON'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function saveJson(rows: readonly SettingRow[]): void {
  const values = rows.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const]));
  const text = `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`;
  download(new Blob([text], { type: 'application/json' }), 'settings.json');
}
