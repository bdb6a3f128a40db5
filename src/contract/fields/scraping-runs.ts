import { runStatuses } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** Beyond the contract. */
export const scrapingRuns = defineNoun({
  id: 'scrapingRuns',
  one: 'run',
  many: 'runs',
  event: 'scraping_run',
  table: 'scraping_runs',
  fields: {
    run_id: { kind: 'line', label: 'Run', example: 'run_2026-01-31', search: true },
    source: { kind: 'line', label: 'Source', example: 'shop.example.org', search: true, filter: 'one' },
    status: { kind: 'word', label: 'Status', example: 'failed', words: runStatuses, filter: 'some' },
    pages_succeeded: { kind: 'count', label: 'Pages', example: 40 },
    pages_failed: { kind: 'count', label: 'Failed', example: 1 },
    pages_blocked: { kind: 'count', label: 'Blocked', example: 0 },
    items_scraped: { kind: 'count', label: 'Items', example: 380 },
    errors: { kind: 'count', label: 'Errors', example: 1 },
    started_at: { kind: 'time', label: 'Started', example: '2026-01-31T09:30:00.000Z', sort: 'time' },
    finished_at: { kind: 'time', label: 'Ended', example: '2026-01-31T09:34:00.000Z', nullable: true },
  },
});
