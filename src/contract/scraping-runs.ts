import { z } from 'zod';
import {
  batchedList,
  batchedName,
  batchedNumberOr,
  batchedObject,
  batchedProse,
  batchedText,
  batchedTime,
  batchedWordOr,
  batchOf,
  required,
  rule,
  sentence,
} from './batches.ts';
import { invalid } from './errors.ts';
import { count } from './fields.ts';
import { anySession, defineOperation } from './operation.ts';
import { runStatuses } from './vocabulary.ts';

/** Far above any run, and within an integer of Postgres. */
const mostPages = 1_000_000_000;
/** In one request. */
export const mostRuns = 1_000;
const mostErrors = 1_000;

const notEnded = 'is only for a run that has ended: say how by its status.';
const withoutStart = 'needs started_at beside it, which must not be later.';

const scrapingRunErrorSchema = batchedObject({
  error_id: batchedText(
    "The sender's own id of the error, unique in its run. Without it, errors of the same content are one error.",
  ),
  url: batchedProse('The page.'),
  code: batchedText('What kind of error it is.', 'UNKNOWN'),
  http_status: batchedNumberOr(null, 100, 999, 'What the site answered; null where it did not.'),
  message: batchedProse('What went wrong.'),
  occurred_at: batchedTime('When it happened; without it, now.'),
}).meta({ id: 'ScrapingRunError' });

const pages = (description: string) => batchedNumberOr(0, 0, mostPages, description);

/** One run of a scraper, as far as it has come. */
export const scrapingRunSchema = batchedObject({
  run_id: batchedName("The sender's own id of the run."),
  source: batchedName('The site.'),
  status: batchedWordOr('running', runStatuses, 'How far it has come.'),
  started_at: batchedTime('When it began; without it, now.'),
  finished_at: batchedTime('When it ended, where that is known.'),
  pages_succeeded: pages('Pages that were read.'),
  pages_failed: pages('Pages that could not be read.'),
  pages_blocked: pages('Pages that the site refused.'),
  items_scraped: pages('What was found on the pages.'),
  errors: batchedList(scrapingRunErrorSchema, mostErrors, 'errors')
    .nullish()
    .transform((errors) => errors ?? []),
})
  .refine(
    ({ status, finished_at }) => status !== 'running' || finished_at === null,
    rule('finished_at', notEnded),
  )
  .refine(
    ({ started_at, finished_at }) =>
      finished_at === null || (started_at !== null && started_at <= finished_at),
    rule('finished_at', withoutStart),
  )
  .meta({ id: 'ScrapingRun' });

const exampleRun = {
  run_id: 'run_2026-01-31',
  source: 'shop.example.org',
  status: 'failed' as const,
  started_at: '2026-01-31T09:30:00.000Z',
  finished_at: '2026-01-31T09:34:00.000Z',
  pages_succeeded: 40,
  pages_failed: 1,
  items_scraped: 380,
  errors: [
    {
      error_id: 'page-7',
      url: 'https://shop.example.org/page/7',
      code: 'TIMEOUT',
      message: 'No answer in 30 s.',
      occurred_at: '2026-01-31T09:33:10.000Z',
    },
  ],
};

/**
 * Beyond the contract. A run may be sent as often as it gets further: as long as it is `running`, its counts grow to the
 * greater of what is known and what is sent, so that deliveries may overtake one another. One that has ended stays as
 * it is; only errors that are new are still added to it.
 */
export const recordScrapingRuns = defineOperation({
  id: 'scrapingRuns.record',
  summary: 'Record scraping runs and their errors; what is known already changes nothing',
  method: 'POST',
  path: '/api/admin/scraping-runs',
  allow: anySession,
  changes: ['scraping_run.recorded'],
  input: batchOf('runs', scrapingRunSchema, mostRuns),
  output: z.strictObject({
    success: z.literal(true),
    recorded: count.meta({ description: 'Runs that are new.' }),
    updated: count.meta({ description: 'Deliveries that brought a run further which was under way.' }),
    duplicates: count.meta({ description: 'Deliveries that said nothing new of their run.' }),
    errors: count.meta({ description: 'Errors that are new.' }),
  }),
  errors: [
    invalid(sentence(['runs', 3, 'source'], required)),
    invalid(sentence(['finished_at'], notEnded)),
    invalid(sentence(['finished_at'], withoutStart)),
  ],
  failure: 'Failed to record the scraping runs.',
  example: {
    input: { runs: [exampleRun] },
    output: { success: true, recorded: 1, updated: 0, duplicates: 0, errors: 1 },
  },
  otherExamples: {
    'One run that begins': {
      input: { run_id: 'run_2026-02-01', source: 'shop.example.org' },
      output: { success: true, recorded: 1, updated: 0, duplicates: 0, errors: 0 },
    },
  },
});
