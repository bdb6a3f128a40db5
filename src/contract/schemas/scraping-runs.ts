import { runStatuses } from '../vocabulary.ts';
import {
  batchedList,
  batchedName,
  batchedNumberOr,
  batchedObject,
  batchedProse,
  batchedText,
  batchedTime,
  batchedWordOr,
  rule,
} from './batches.ts';

/** Far more than any run has, and within a Postgres integer. */
const maxPages = 1_000_000_000;
/** The maximum number of runs in one request. */
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

/** The current state of a scraping run. */
export const scrapingRunSchema = batchedObject({
  run_id: batchedName("The sender's own id of the run."),
  source: batchedName('The site that is scraped.'),
  status: batchedWordOr('running', runStatuses, 'The state of the run.'),
  started_at: batchedTime('When the run started. The default is now.'),
  finished_at: batchedTime('When the run ended, if known.'),
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
