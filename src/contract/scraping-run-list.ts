import { z } from 'zod';
import { invalid } from './errors.ts';
import { count, timestamp } from './fields.ts';
import { filterText, filterWord, listErrors, listParameters, nextCursor, toCursor } from './lists.ts';
import { anySession, defineOperation } from './operation.ts';
import { runStatuses } from './vocabulary.ts';

const wrongStatus = 'status must be running, succeeded, failed or cancelled.';

export const listedRunSchema = z
  .strictObject({
    run_id: z.string(),
    source: z.string(),
    status: z.enum(runStatuses),
    started_at: timestamp,
    finished_at: timestamp
      .nullable()
      .meta({ description: 'Null while it is under way or its end is not known.' }),
    pages_succeeded: count,
    pages_failed: count,
    pages_blocked: count,
    items_scraped: count,
    errors: count.meta({ description: 'How many errors were recorded of it.' }),
  })
  .meta({ id: 'ListedScrapingRun' });

const exampleRun: z.infer<typeof listedRunSchema> = {
  run_id: 'run_2026-01-31',
  source: 'shop.example.org',
  status: 'failed',
  started_at: '2026-01-31T09:30:00.000Z',
  finished_at: '2026-01-31T09:34:00.000Z',
  pages_succeeded: 40,
  pages_failed: 1,
  pages_blocked: 0,
  items_scraped: 380,
  errors: 1,
};

/** Beyond the contract: its analytics (4.6) sum a month up, and these are the runs behind them. */
export const listScrapingRuns = defineOperation({
  id: 'scrapingRuns.list',
  summary: 'List the scraping runs, those that began last first',
  method: 'GET',
  path: '/api/admin/scraping-runs',
  allow: anySession,
  input: z.object({
    source: filterText('Only runs of this source.'),
    status: filterWord(runStatuses, wrongStatus, 'Only runs of this status.'),
    ...listParameters(z.string()),
  }),
  output: z.strictObject({ runs: z.array(listedRunSchema), nextCursor }),
  errors: [invalid(wrongStatus), ...listErrors],
  failure: 'Failed to load the scraping runs.',
  replica: true,
  example: { output: { runs: [exampleRun] } },
  otherExamples: {
    'A page': {
      input: { status: 'failed', limit: 1 },
      output: { runs: [exampleRun], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 'run_2026-01-31']) },
    },
  },
});
