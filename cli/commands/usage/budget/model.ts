import {
  withModelBudget,
  withTotalBudget,
} from '../../../../src/contract/known-settings/edit-token-settings.ts';
import type { Format } from '../../../output/emit.ts';

/** What a budget applies to, for people. */
export const budgetName = (model: string | null | undefined) => model ?? 'all models';

export interface BudgetOptions extends Format {
  readonly model?: string;
}

/** The stored text with another budget. */
export function changeBudget(model: string | undefined, limit: string | undefined) {
  return (stored: string | undefined) =>
    model === undefined ? withTotalBudget(stored, limit) : withModelBudget(stored, model, limit);
}
