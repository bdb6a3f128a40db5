import { entriesOf } from '../../../src/contract/known-settings/edit-token-settings.ts';
import type { Readout } from '../../../src/contract/known-settings/settings.ts';
import {
  budgetsKey,
  pricesKey,
  readBudgets,
  readPrices,
} from '../../../src/contract/known-settings/token-settings.ts';
import type { Settings } from './usage-queries.ts';

/** What a setting says, and what of it cannot be read. */
export interface Readable<Value> extends Readout<Value> {
  /** Whether it is a JSON object at all. */
  readonly isReadable: boolean;
}

/** Reports whether a form may edit a setting. It would lose a text that is no JSON object. */
export function isEditable(settings: Settings, key: string): boolean {
  return entriesOf(settings[key]) !== undefined;
}

/** Reads the prices and the budgets. */
export function readUsageSettings(settings: Settings) {
  return {
    prices: { ...readPrices(settings), isReadable: isEditable(settings, pricesKey) },
    budgets: { ...readBudgets(settings), isReadable: isEditable(settings, budgetsKey) },
  };
}

export type UsageSettings = ReturnType<typeof readUsageSettings>;
