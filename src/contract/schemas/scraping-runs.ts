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

/** Far above any run, and within an integer of Postgres. */
const mostPages = 1_000_000_000;
/** In one request. */
export const mostRuns = 1_000;
const mostErrors = 1_000;

export const notEnded = 'is only for a run that has ended: say how by its status.';
export const withoutStart = 'needs started_at beside it, which must not be later.';

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
