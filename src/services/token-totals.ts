import type { z } from 'zod';
import type { tokenDaySchema } from '../contract/analytics.ts';
import type { ModelDay } from '../db/token-usage.ts';

type TokenDay = z.infer<typeof tokenDaySchema>;

/** No model has a price yet: the tokens that cost something are none, and each model's own cost is unknown. */
const costOfPricedTokens = '0.0000';

/** Sums usage of any days and models; of no usage, zeros. */
export function sumUsage(usage: readonly ModelDay[]): Omit<TokenDay, 'date' | 'byModel'> {
  const totals = { requests: 0, failedRequests: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  for (const part of usage) {
    totals.requests += part.requests;
    totals.failedRequests += part.failedRequests;
    totals.inputTokens += part.inputTokens;
    totals.outputTokens += part.outputTokens;
    totals.cachedInputTokens += part.cachedInputTokens;
  }
  return { ...totals, totalTokens: totals.inputTokens + totals.outputTokens, cost: costOfPricedTokens };
}

/** Sums usage per provider and model, the most tokens first. */
export function sumByModel(usage: readonly ModelDay[]): TokenDay['byModel'] {
  return [...Map.groupBy(usage, ({ provider }) => provider)]
    .flatMap(([provider, ofProvider]) =>
      [...Map.groupBy(ofProvider, ({ model }) => model)].map(([model, ofModel]) => {
        const { requests, inputTokens, outputTokens, totalTokens } = sumUsage(ofModel);
        return { model, provider, requests, inputTokens, outputTokens, totalTokens, cost: null };
      }),
    )
    .sort(
      (a, b) => b.totalTokens - a.totalTokens || compare(a.provider, b.provider) || compare(a.model, b.model),
    );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
