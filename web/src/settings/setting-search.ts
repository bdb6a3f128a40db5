import { settingGroups } from '../../../src/contract/known-settings/settings.ts';
import { type RawSearch, textOf, wordOf } from '../app/search-params.ts';

/** The groups of the page: those of the settings that the service reads, and one of all others. */
export const shownGroups = [...settingGroups, 'Other'] as const;

/** What the settings can be filtered by. */
export const settingStates = {
  set: 'Set',
  default: 'Not set',
  invalid: 'Invalid',
  json: 'JSON',
  secret: 'Secret',
} as const;

export type SettingState = keyof typeof settingStates;

const states = Object.keys(settingStates) as readonly SettingState[];
const dialogs = ['add', 'import'] as const;

/** What the settings page shows, as its address says. */
export interface SettingSearch {
  readonly q?: string | undefined;
  readonly group?: (typeof shownGroups)[number] | undefined;
  readonly state?: SettingState | undefined;
  /** The key of the setting whose value is edited. */
  readonly setting?: string | undefined;
  readonly dialog?: (typeof dialogs)[number] | undefined;
}

/** Reads the address of the settings page, and ignores what is no filter. */
export function settingSearch(search: RawSearch): SettingSearch {
  return {
    q: textOf(search.q),
    group: wordOf(shownGroups, search.group),
    state: wordOf(states, search.state),
    setting: textOf(search.setting),
    dialog: wordOf(dialogs, search.dialog),
  };
}
