import { apart } from '../../../terminal/cells.ts';
import { counted } from '../../../terminal/number.ts';
import { Lines } from '../../components/lines.tsx';
import { Table } from '../../components/table.tsx';
import { keyHints } from '../../keys/key-hints.ts';
import type { List } from '../../list/list.ts';
import type { App } from '../../state/app.ts';
import type { Screen, Size } from '../../state/screen-types.ts';
import { type Store, useStore } from '../../state/store.ts';
import { theme } from '../../theme.ts';
import { type SettingRow, settingTableColumns } from './row.ts';

export interface SettingsState {
  readonly filter: string;
}

export interface SettingsParts {
  readonly store: Store<SettingsState>;
  readonly list: List<SettingRow>;
  /** Returns why the user may not change the current row. */
  readonly rowRefusal: () => string | undefined;
}

/** Shows the settings whose key or value contains the filter. */
export function settingsView(app: App, { store, list, rowRefusal }: SettingsParts): Screen['View'] {
  return ({ width, height }: Size) => {
    const { filter } = useStore(store);
    const { shown } = useStore(list.store);
    const refusal = rowRefusal();
    const count = theme.quiet(
      [counted(shown.length, 'setting'), ...(refusal === undefined ? [] : [refusal])].join(' · '),
    );
    const right = filter === '' ? '' : theme.accent(`/ ${filter} `);
    return (
      <>
        <Lines lines={[apart(`  ${count}`, right, width)]} height={1} />
        <Table
          list={list}
          columns={settingTableColumns}
          keyOf={({ key }) => key}
          width={width}
          height={height - 1}
          empty={
            filter === ''
              ? ['No settings yet.', ...keyHints(app, ['settings.create', 'adds a setting.'])]
              : ['No settings match.', ...keyHints(app, ['everywhere.back', 'shows all settings.'])]
          }
        />
      </>
    );
  };
}
