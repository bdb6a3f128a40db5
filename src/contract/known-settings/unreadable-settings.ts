import { settingProblem } from './known-settings.ts';
import type { Settings } from './settings.ts';
import { budgetsKey, pricesKey, timeZoneKey } from './token-settings.ts';

/** A setting whose value the service cannot read, so that it counts as not set. */
export interface UnreadableSetting {
  /** What it is for, in a word or two. */
  readonly name: string;
  readonly problem: string;
}

const names: readonly (readonly [key: string, name: string])[] = [
  [budgetsKey, 'budget'],
  [pricesKey, 'prices'],
  [timeZoneKey, 'time zone'],
];

/** Returns the unreadable ones of the settings that costs, budgets and months depend on. */
export function unreadableUsageSettings(settings: Settings): readonly UnreadableSetting[] {
  return names.flatMap(([key, name]) => {
    const problem = settingProblem(key, settings[key] ?? '');
    return problem === undefined ? [] : [{ name, problem }];
  });
}
