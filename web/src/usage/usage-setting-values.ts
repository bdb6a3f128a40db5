import { entriesOf } from '../../../src/contract/known-settings/edit-token-settings.ts';
import {
  budgetsKey,
  pricesKey,
  type Readout,
  readBudgets,
  readPrices,
} from '../../../src/contract/known-settings/token-settings.ts';
import type { Settings } from './usage-queries.ts';

/** What a setting says, and what of it cannot be read. */
export interface Readable<Value> extends Readout<Value> {
  /** Whether it is a JSON object at all. */
  readonly isReadable: boolean;
}

/** Reads the prices and the budgets. */
export function readUsageSettings(settings: Settings) {
  const isReadable = (key: string) => entriesOf(settings[key]) !== undefined;
  return {
    prices: { ...readPrices(settings), isReadable: isReadable(pricesKey) },
    budgets: { ...readBudgets(settings), isReadable: isReadable(budgetsKey) },
  };
}

export type UsageSettings = ReturnType<typeof readUsageSettings>;
