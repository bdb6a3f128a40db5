import type { SeedUsage } from '../../db/seed/seed-rows.ts';
import { hourMs } from './durations.ts';
import { type Random, seedId } from './random.ts';

const intervalMs = hourMs / 4;
const recordCount = 42 * 24 * 4;

/**
 * The prices and budgets of the models below. A month costs about 20, so that alerts fire towards the end of a month.
 */
export const usageSettings = {
  token_prices: JSON.stringify({
    'large-1': { input: '2.50', output: '10.00', cached_input: '1.25' },
    'small-1': { input: '0.15', output: '0.60', cached_input: '0.075' },
  }),
  token_budgets: JSON.stringify({ total: '25.00', models: { 'large-1': '20.00' } }),
};

/** Makes six weeks of requests to two models, some of them failed, newest first. */
export function* makeUsage(random: Random, until: number): Generator<SeedUsage> {
  for (let index = 0; index < recordCount; index++) {
    const time = until - 1 - index * intervalMs - random.integer(0, intervalMs - 1);
    const succeeded = random.chance(0.97);
    const input = random.integer(2_000, 12_000);
    yield {
      record_id: seedId('usage', time, random),
      occurred_at: new Date(time).toISOString(),
      provider: 'example-ai',
      model: random.chance(0.3) ? 'large-1' : 'small-1',
      input_tokens: input,
      output_tokens: succeeded ? random.integer(150, 850) : 0,
      cached_input_tokens: random.chance(0.5) ? random.integer(0, Math.floor(input / 2)) : 0,
      succeeded,
      created_at: new Date(time).toISOString(),
    };
  }
}
