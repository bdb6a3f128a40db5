import type { SeedRun, SeedRunError } from '../../db/seed/seed-rows.ts';
import { dayMs, hourMs } from './durations.ts';
import { type Random, seedId } from './random.ts';

const sources = ['news.example.com', 'shop.example.org', 'jobs.example.net'] as const;
const days = 30;
const maxRunMs = 480_000;

const failures = [
  { code: 'TIMEOUT', http_status: null, message: 'No answer in 30 s.' },
  { code: 'HTTP_ERROR', http_status: 503, message: 'The site answered 503.' },
  { code: 'BLOCKED', http_status: 403, message: 'The site refused us.' },
  { code: 'PARSE_ERROR', http_status: 200, message: 'The list was not where it used to be.' },
] as const;

export interface RunWithErrors {
  readonly run: SeedRun;
  readonly errors: readonly SeedRunError[];
}

/** Makes a month of daily scraping runs of three sources, a few of them failed, newest first. */
export function* makeRuns(random: Random, until: number): Generator<RunWithErrors> {
  for (let index = 0; index < days; index++) {
    for (const [position, source] of sources.entries()) {
      const start =
        until - maxRunMs - index * dayMs - (position + 1) * hourMs - random.integer(0, hourMs / 2);
      yield makeRun(random, source, start);
    }
  }
}

function makeRun(random: Random, source: string, start: number): RunWithErrors {
  const status = random.pickWeighted(['succeeded', 'failed', 'cancelled'] as const, [88, 9, 3]);
  const pages = status === 'succeeded' ? random.integer(40, 100) : random.integer(2, 20);
  const end = start + random.integer(60_000, maxRunMs);
  const run: SeedRun = {
    run_id: seedId('run', start, random),
    source,
    status,
    started_at: new Date(start).toISOString(),
    finished_at: new Date(end).toISOString(),
    pages_succeeded: pages,
    pages_failed: status === 'failed' ? random.integer(1, 4) : 0,
    pages_blocked: random.chance(0.15) ? random.integer(1, 3) : 0,
    items_scraped: pages * random.integer(7, 11),
  };
  const errors = Array.from({ length: run.pages_failed }, (_, index) => ({
    run_id: run.run_id,
    error_key: `id:${index + 1}`,
    url: `https://${source}/page/${random.integer(1, 400)}`,
    ...random.pick(failures),
    occurred_at: new Date(random.integer(start, end)).toISOString(),
  }));
  return { run, errors };
}
