import { Select } from '@mantine/core';
import { type SettingSearch, settingStates, shownGroups } from './setting-search.ts';
import styles from './settings-page.module.css';

interface SettingPicksProps {
  readonly search: SettingSearch;
  readonly onChange: (part: Partial<SettingSearch>) => void;
}

/** Chooses the group and the state of the settings that are shown. */
export function SettingPicks({ search, onChange }: SettingPicksProps) {
  return (
    <span className={styles.picks}>
      <Select
        aria-label="Group"
        placeholder="Group"
        data={shownGroups}
        value={search.group ?? null}
        onChange={(group) => onChange({ group: group ?? undefined } as Partial<SettingSearch>)}
        clearable
        clearButtonProps={{ 'aria-label': 'Any group' }}
        className={styles.pick ?? ''}
      />
      <Select
        aria-label="State"
        placeholder="State"
        data={Object.entries(settingStates).map(([value, label]) => ({ value, label }))}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: state ?? undefined } as Partial<SettingSearch>)}
        clearable
        clearButtonProps={{ 'aria-label': 'Any state' }}
        className={styles.pick ?? ''}
      />
    </span>
  );
}
