import { settingGroups } from '../../../src/contract/known-settings/settings.ts';
import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';

/** The groups of the page: those of the settings that the service reads, and one of all others. */
export const shownGroups = [...settingGroups, 'Other'] as const;
export type ShownGroup = (typeof shownGroups)[number];

/** What the settings page shows, as its address says. */
export interface SettingSearch {
  readonly q?: string | undefined;
  readonly group?: ShownGroup | undefined;
  /** The key of the setting whose value is edited. */
  readonly setting?: string | undefined;
  /** Whether its stored text is edited, where it has rows. */
  readonly as?: 'json' | undefined;
  /** The model that needs a price or a budget. */
  readonly model?: string | undefined;
  readonly dialog?: 'add' | undefined;
}

/** Reads the address of the settings page, and ignores what it does not know. */
export function settingSearch(search: RawSearch): SettingSearch {
  return {
    q: textOf(search.q),
    group: wordOf(shownGroups, search.group),
    setting: textOf(search.setting),
    as: wordOf(['json'] as const, search.as),
    model: textOf(search.model),
    dialog: wordOf(['add'] as const, search.dialog),
  };
}
