import { dayMs, hourMs, type Random } from './random.ts';

/** Prices and budgets of the models. A month costs about 20, so that alerts fire towards the end of a month. */
export const usageSettings = {
  token_prices: JSON.stringify({
    'large-1': { input: '2.50', output: '10.00', cached_input: '1.25' },
    'small-1': { input: '0.15', output: '0.60', cached_input: '0.075' },
  }),
  token_budgets: JSON.stringify({ total: '25.00', models: { 'large-1': '20.00' } }),
};

const intervalMs = hourMs / 4;

/** Makes six weeks of requests to two models, some of them failed, newest first. */
export function makeUsage(random: Random, until: number) {
  return Array.from({ length: (42 * dayMs) / intervalMs }, (_, index) => {
    const time = until - 1 - index * intervalMs - random.integer(0, intervalMs - 1);
    const succeeded = random.chance(0.97);
    const input = random.integer(2_000, 12_000);
    return {
      record_id: random.id('usage', time),
      occurred_at: new Date(time).toISOString(),
      provider: 'example-ai',
      model: random.chance(0.3) ? 'large-1' : 'small-1',
      input_tokens: input,
      output_tokens: succeeded ? random.integer(150, 850) : 0,
      cached_input_tokens: random.chance(0.5) ? random.integer(0, Math.floor(input / 2)) : 0,
      succeeded,
      created_at: new Date(time).toISOString(),
    };
  });
}

const sources = ['news.example.com', 'shop.example.org', 'jobs.example.net'];
const maxRunMs = 480_000;

const failures = [
  { code: 'TIMEOUT', http_status: null, message: 'No answer in 30 s.' },
  { code: 'HTTP_ERROR', http_status: 503, message: 'The site answered 503.' },
  { code: 'BLOCKED', http_status: 403, message: 'The site refused us.' },
  { code: 'PARSE_ERROR', http_status: 200, message: 'The list was not where it used to be.' },
];

/** Makes a month of daily scraping runs of each source, a few of them failed, newest first. */
export function makeRuns(random: Random, until: number) {
  return Array.from({ length: 30 * sources.length }, (_, index) => {
    const startsAgo = index * (dayMs / sources.length) + hourMs + random.integer(0, hourMs / 2);
    const start = until - maxRunMs - Math.floor(startsAgo);
    const status = random.pickWeighted(['succeeded', 'failed', 'cancelled'], [88, 9, 3]);
    const pages = status === 'succeeded' ? random.integer(40, 100) : random.integer(2, 20);
    return {
      run_id: random.id('run', start),
      source: sources[index % sources.length] ?? '',
      status,
      started_at: new Date(start).toISOString(),
      finished_at: new Date(start + random.integer(60_000, maxRunMs)).toISOString(),
      pages_succeeded: pages,
      pages_failed: status === 'failed' ? random.integer(1, 4) : 0,
      pages_blocked: random.chance(0.15) ? random.integer(1, 3) : 0,
      items_scraped: pages * random.integer(7, 11),
    };
  });
}

/** Makes the errors of runs: one for each page that failed. */
export function makeRunErrors(random: Random, runs: ReturnType<typeof makeRuns>) {
  return runs.flatMap(({ run_id, source, pages_failed, started_at }) =>
    Array.from({ length: pages_failed }, (_, index) => ({
      run_id,
      error_key: `id:${index + 1}`,
      url: `https://${source}/page/${random.integer(1, 400)}`,
      ...random.pick(failures),
      occurred_at: new Date(Date.parse(started_at) + random.integer(0, 60_000)).toISOString(),
    })),
  );
}
