import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { receivers, reloadSoon } from '../app/data/reload.ts';
import type { Month } from '../parts/months.tsx';

type Shown = OutputOf<'settings.show'>;

/** The token usage of a month. */
export type Usage = NonNullable<Shown['tokenUsage']>;
export type TokenAlert = NonNullable<Shown['tokenAlerts']>[number];
export type Settings = Shown['settings'];

const key = ['usage'] as const;

/** The share of a budget from which its tiles warn, as its alert does. */
const nearlyUsed = 0.8;

/** Returns how urgent it is to look at the budget, if it is: it is used up, nearly used, or will not last the month. */
export function budgetLevel({ budget }: Usage): 'Critical' | 'Warning' | undefined {
  if (budget === null) return undefined;
  if (budget.usedRatio >= 1) return 'Critical';
  const willExceed = Number(budget.projectedCost ?? 0) > Number(budget.limit);
  return willExceed || budget.usedRatio >= nearlyUsed ? 'Warning' : undefined;
}

/** The token usage of a month with its days and alerts, and the settings of prices and budgets; by default of the current one. */
export function usageQuery(month: Month = 'current') {
  return queryOptions({
    queryKey: [...key, month],
    queryFn: async ({ signal }) => {
      const shown = await client.call('settings.show', { section: 'token-usage', month }, signal);
      const { tokenUsage, tokenDailyBreakdown: days = [], tokenAlerts: alerts = [], settings } = shown;
      if (tokenUsage === undefined) throw new Error('The answer has no token usage.');
      return { usage: tokenUsage, days, alerts, settings };
    },
    // Another month takes the place of the one that is shown when it has arrived, so that nothing jumps.
    placeholderData: keepPreviousData,
  });
}

const route = getRouteApi('/signed-in/usage');

/** Returns the usage of the month that the address of the page names. */
export const useUsage = () => useQuery(usageQuery(route.useSearch().month));

receivers.add(({ type }) => {
  // Prices and budgets are settings.
  if (/^(token_usage|token_alert|settings?)\./.test(type)) reloadSoon(key);
});
