import type { EventData } from '../../contract/events/envelope.ts';
import type { Database } from '../../db/connection/database.ts';
import type { RecordedFields } from '../../db/outbox/record-changes.ts';
import {
  insertScrapingErrors,
  scrapingErrorTables,
  selectScrapingErrorPage,
} from '../../db/tables/usage/scraping-errors.ts';
import {
  type ScrapingRun,
  scrapingRunList,
  upsertScrapingRuns,
} from '../../db/tables/usage/scraping-runs.ts';
import { answerList, answerNewest } from '../streaming/list-answer.ts';
import type { HandlersOf } from './handler-types.ts';

type Recorded = EventData<'scraping_run.recorded'>;

export const scrapingRunHandlers = {
  'scrapingRuns.list': async (context, { limit, count, ...filter }) =>
    answerList(context, 'scrapingRuns.list', scrapingRunList(filter), { limit, count }),

  'scrapingRuns.errors': async (context, filter) =>
    answerNewest(context, 'errors', () => selectScrapingErrorPage(context.db, filter), scrapingErrorTables),

  'scrapingRuns.record': async ({ change }, runs) => {
    const { recorded, updated, errors } = await change(async (tx, record) => {
      const changes = new Map<string, { before: RecordedFields | undefined; after: Recorded }>();
      const counts = { recorded: 0, updated: 0, errors: 0 };
      for (const { run_id, source, status, is_new } of await upsertInOrder(tx, runs)) {
        counts[is_new ? 'recorded' : 'updated'] += 1;
        const before = is_new ? undefined : { source, status: 'running' };
        changes.set(run_id, { before, ...changes.get(run_id), after: { source, status, new_errors: 0 } });
      }
      const allErrors = runs.flatMap((run) => run.errors.map((error) => ({ ...error, run_id: run.run_id })));
      for (const inserted of await insertScrapingErrors(tx, allErrors)) {
        const { run_id, source, status, errors: new_errors } = inserted;
        counts.errors += new_errors;
        const before = { source, status };
        changes.set(run_id, { before, ...changes.get(run_id), after: { source, status, new_errors } });
      }
      for (const [id, { before, after }] of changes) {
        record({ event: 'scraping_run.recorded', id, before, after });
      }
      return counts;
    });
    return { success: true, recorded, updated, duplicates: runs.length - recorded - updated, errors };
  },
} satisfies HandlersOf<'scrapingRuns'>;

/** Upserts the runs in their order. A batch may contain a run several times, as it progressed; each one counts separately. */
async function upsertInOrder(tx: Database, runs: readonly ScrapingRun[]) {
  const changed: Awaited<ReturnType<typeof upsertScrapingRuns>>[number][] = [];
  for (let rest = runs; rest.length > 0; ) {
    const first = new Map(rest.toReversed().map((run) => [run.run_id, run]));
    changed.push(...(await upsertScrapingRuns(tx, [...first.values()])));
    rest = rest.filter((run) => first.get(run.run_id) !== run);
  }
  return changed;
}
