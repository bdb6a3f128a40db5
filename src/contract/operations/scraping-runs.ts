import { z } from 'zod';
import { scrapingRunSorts } from '../fields/sorts.ts';
import { anySession, defineOperation } from '../operation.ts';
import { exampleScrapingError, scrapingErrorSchema } from '../schemas/analytics.ts';
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
  rule,
} from '../schemas/batches.ts';
import { count, rowWithExample, success, timestamp } from '../schemas/fields.ts';
import { timeBounds } from '../schemas/filters.ts';
import {
  defaultPageRows,
  filterText,
  filterWords,
  listParameters,
  nextCursor,
  pageParameters,
  toCursor,
  total,
} from '../schemas/lists.ts';
import { runStatuses } from '../vocabulary.ts';

/** Far more than any run has, and within a Postgres integer. */
const maxPages = 1_000_000_000;
export const maxRuns = 1_000;
const maxErrors = 1_000;

const scrapingRunErrorSchema = batchedObject({
  error_id: batchedText(
    "The sender's own id of the error, unique in its run. Without it, equal errors count as one.",
  ),
  url: batchedProse('The address of the page.'),
  code: batchedText('The kind of error.', 'UNKNOWN'),
  http_status: batchedNumberOr(null, 100, 999, 'The HTTP status of the site, or null if it did not answer.'),
  message: batchedProse('A description of the error.'),
  occurred_at: batchedTime('When the error occurred. The default is now.'),
}).meta({ id: 'ScrapingRunError' });

const pages = (description: string) => batchedNumberOr(0, 0, maxPages, description);

export const scrapingRunSchema = batchedObject({
  run_id: batchedName("The sender's own id of the run."),
  source: batchedName('The site that is scraped.'),
  status: batchedWordOr('running', runStatuses, 'The state of the run.'),
  started_at: batchedTime('When the run started. The default is now.'),
  finished_at: batchedTime(
    'When the run ended, if known. A run that was `running` before ends when it is sent with another status.',
  ),
  pages_succeeded: pages('Pages that were read.'),
  pages_failed: pages('Pages that could not be read.'),
  pages_blocked: pages('Pages that the site blocked.'),
  items_scraped: pages('Items that were found on the pages.'),
  errors: batchedList(scrapingRunErrorSchema, maxErrors, 'errors')
    .nullish()
    .transform((errors) => errors ?? []),
})
  .refine(
    ({ status, finished_at }) => status !== 'running' || finished_at === null,
    rule('finished_at', 'requires a status other than running.'),
  )
  .refine(
    ({ started_at, finished_at }) =>
      finished_at === null || (started_at !== null && started_at <= finished_at),
    rule('finished_at', 'requires started_at, which must not be later.'),
  )
  .meta({ id: 'ScrapingRun' });

const { schema: listedRunSchema, example: exampleListed } = rowWithExample('ListedScrapingRun', {
  run_id: [z.string(), exampleScrapingError.runId],
  source: [z.string(), exampleScrapingError.source],
  status: [z.enum(runStatuses), 'failed'],
  started_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  finished_at: [
    timestamp.nullable().describe('Null if the run has not ended or its end is unknown.'),
    '2026-01-31T09:34:00.000Z',
  ],
  pages_succeeded: [count, 40],
  pages_failed: [count, 1],
  pages_blocked: [count, 0],
  items_scraped: [count, 380],
  errors: [count.describe('How many errors the run has.'), 1],
});

const exampleError = {
  error_id: 'page-7',
  url: exampleScrapingError.url,
  code: exampleScrapingError.code,
  message: exampleScrapingError.message,
  occurred_at: exampleScrapingError.occurredAt,
};

export const scrapingRunOperations = [
  /** Beyond the contract: the runs behind the monthly analytics of 4.6. */
  defineOperation('GET', '/api/admin/scraping-runs', anySession, {
    id: 'scrapingRuns.list',
    summary: 'List scraping runs, latest start first',
    description:
      'Each run has its counts and its number of errors. Without `limit`, the whole list is streamed.',
    storable: true,
    input: z.object({
      run_id: filterText('Only the run with this id. Several ids are separated by commas.'),
      source: filterText('Only runs of this source.'),
      status: filterWords('status', runStatuses, 'Only runs with this status.'),
      ...listParameters(z.string(), 'the id and the source', scrapingRunSorts),
    }),
    output: z.strictObject({ runs: z.array(listedRunSchema), nextCursor, total }),
    rows: 'runs',
    failure: 'Failed to load the scraping runs.',
    replica: true,
    example: { output: { runs: [exampleListed] } },
    otherExamples: {
      'A page': {
        input: { status: 'failed', limit: 1 },
        output: {
          runs: [exampleListed],
          nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 'run_2026-01-31']),
        },
      },
    },
  }),

  /** Beyond the contract. Updates of a run may arrive out of order. */
  defineOperation('POST', '/api/admin/scraping-runs', anySession, {
    id: 'scrapingRuns.record',
    summary: 'Record scraping runs and their errors in batches, without duplicates',
    description:
      'Takes one run, or up to 1,000 as `runs`, which are accepted or rejected together. A run may be sent ' +
      'again as it progresses. While it is `running`, each count becomes the greater of the stored and the ' +
      'sent one. A run that has ended stays unchanged, except that new errors are added.',
    intake: true,
    changes: ['scraping_run.recorded'],
    // A run may be sent again.
    repeatable: true,
    input: batchOf('runs', scrapingRunSchema, maxRuns),
    output: success.extend({
      recorded: count.describe('How many runs are new.'),
      updated: count.describe('How many items updated a run that had not ended.'),
      duplicates: count.describe('How many items changed nothing.'),
      errors: count.describe('How many errors are new.'),
    }),
    failure: 'Failed to record the scraping runs.',
    example: {
      input: { runs: [{ ...exampleListed, errors: [exampleError] }] },
      output: { success: true, recorded: 1, updated: 0, duplicates: 0, errors: 1 },
    },
    otherExamples: {
      'A run that starts': {
        input: { run_id: 'run_2026-02-01', source: 'shop.example.org' },
        output: { success: true, recorded: 1, updated: 0, duplicates: 0, errors: 0 },
      },
    },
  }),

  /** Beyond the contract, which shows only the latest 20. */
  defineOperation('GET', '/api/admin/scraping-runs/errors', anySession, {
    id: 'scrapingRuns.errors',
    summary: 'Read the errors of scraping runs, newest first',
    description:
      'With `run_id`, those of one run. `nextCursor` leads to older ones. A page of very long errors ends before its limit.',
    storable: true,
    replica: true,
    input: z.object({
      run_id: filterText('Only errors of this run.'),
      source: filterText('Only errors of runs of this source.'),
      ...timeBounds,
      ...pageParameters(z.int(), defaultPageRows),
    }),
    output: z.strictObject({ errors: z.array(scrapingErrorSchema), nextCursor }),
    failure: 'Failed to load the scraping errors.',
    example: {
      input: { run_id: exampleListed.run_id },
      output: { errors: [exampleScrapingError], nextCursor: null },
    },
  }),
] as const;
