import {
  withModelBudget,
  withTotalBudget,
} from '../../../../src/contract/known-settings/edit-token-settings.ts';
import type { Format } from '../../../output/emit.ts';

/** Returns what a budget applies to, for people. */
export const budgetName = (model: string | null | undefined) => model ?? 'all models';

export interface BudgetOptions extends Format {
  readonly model?: string;
}

/** Returns a function that sets a budget in the stored text, or removes it. */
export function changeBudget(model: string | undefined, limit: string | undefined) {
  return (stored: string | undefined) =>
    model === undefined ? withTotalBudget(stored, limit) : withModelBudget(stored, model, limit);
}
