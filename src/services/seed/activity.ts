import type { SeedRun, SeedRunError, SeedUsage } from '../../db/seed/seed-rows.ts';
import { type Random, seedId } from './random.ts';
import { day, hour } from './rhythm.ts';

const quarter = hour / 4;
const usageRecords = 42 * 24 * 4;

/**
 * What the models below cost per million tokens, and what may be spent in a month: a month costs about 20, so that
 * towards its end there are alerts to see.
 */
export const usageSettings = {
  token_prices: JSON.stringify({
    'large-1': { input: '2.50', output: '10.00', cached_input: '1.25' },
    'small-1': { input: '0.15', output: '0.60', cached_input: '0.075' },
  }),
  token_budgets: JSON.stringify({ total: '25.00', models: { 'large-1': '20.00' } }),
};

/** Six weeks of requests to two models, some of which failed, the newest first. */
export function* makeUsage(random: Random, until: number): Generator<SeedUsage> {
  for (let index = 0; index < usageRecords; index++) {
    const time = until - 1 - index * quarter - random.whole(0, quarter - 1);
    const succeeded = random.chance(0.97);
    const input = random.whole(2_000, 12_000);
    yield {
      record_id: seedId('usage', time, random),
      occurred_at: new Date(time).toISOString(),
      provider: 'example-ai',
      model: random.chance(0.3) ? 'large-1' : 'small-1',
      input_tokens: input,
      output_tokens: succeeded ? random.whole(150, 850) : 0,
      cached_input_tokens: random.chance(0.5) ? random.whole(0, Math.floor(input / 2)) : 0,
      succeeded,
      created_at: new Date(time).toISOString(),
    };
  }
}

const sources = ['news.example.com', 'shop.example.org', 'jobs.example.net'] as const;
const daysOfRuns = 30;
const longestRun = 480_000;

const failures = [
  { code: 'TIMEOUT', http_status: null, message: 'No answer in 30 s.' },
  { code: 'HTTP_ERROR', http_status: 503, message: 'The site answered 503.' },
  { code: 'BLOCKED', http_status: 403, message: 'The site refused us.' },
  { code: 'PARSE_ERROR', http_status: 200, message: 'The list was not where it used to be.' },
] as const;

/** A scraping run and what went wrong in it. */
export interface RunWithErrors {
  readonly run: SeedRun;
  readonly errors: readonly SeedRunError[];
}

/** A month of daily scraping runs of three sources, a few of them failed, the newest first. */
export function* makeRuns(random: Random, until: number): Generator<RunWithErrors> {
  for (let index = 0; index < daysOfRuns; index++) {
    for (const [turn, source] of sources.entries()) {
      const start = until - longestRun - index * day - (turn + 1) * hour - random.whole(0, hour / 2);
      yield makeRun(random, source, start);
    }
  }
}

function makeRun(random: Random, source: string, start: number): RunWithErrors {
  const status = random.weigh(['succeeded', 'failed', 'cancelled'] as const, [88, 9, 3]);
  const pages = status === 'succeeded' ? random.whole(40, 100) : random.whole(2, 20);
  const end = start + random.whole(60_000, longestRun);
  const run: SeedRun = {
    run_id: seedId('run', start, random),
    source,
    status,
    started_at: new Date(start).toISOString(),
    finished_at: new Date(end).toISOString(),
    pages_succeeded: pages,
    pages_failed: status === 'failed' ? random.whole(1, 4) : 0,
    pages_blocked: random.chance(0.15) ? random.whole(1, 3) : 0,
    items_scraped: pages * random.whole(7, 11),
  };
  const errors = Array.from({ length: run.pages_failed }, (_, index) => ({
    run_id: run.run_id,
    error_key: `id:${index + 1}`,
    url: `https://${source}/page/${random.whole(1, 400)}`,
    ...random.pick(failures),
    occurred_at: new Date(random.whole(start, end)).toISOString(),
  }));
  return { run, errors };
}
