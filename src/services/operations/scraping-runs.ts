import type { OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import type { Database } from '../../db/connection/pool.ts';
import type { RecordedFields } from '../../db/tables/record-changes.ts';
import {
  insertScrapingErrors,
  type ScrapingRun,
  upsertScrapingRuns,
} from '../../db/tables/scraping-run-records.ts';
import { scrapingRunList } from '../../db/tables/scraping-runs.ts';
import type { Context } from '../call/context.ts';
import { answerList } from '../streaming/list-answer.ts';
import type { StreamedJson } from '../streaming/streamed-json.ts';

export async function listScrapingRuns(
  context: Context,
  { limit, ...filter }: ParsedInputOf<'scrapingRuns.list'>,
): Promise<StreamedJson> {
  return answerList(context, 'scrapingRuns.list', scrapingRunList(filter), limit);
}

export async function recordScrapingRuns(
  { change }: Context,
  runs: ParsedInputOf<'scrapingRuns.record'>,
): Promise<OutputOf<'scrapingRuns.record'>> {
  const counts = await change(async (tx, touch) => {
    const told = new Map<string, { before: RecordedFields | undefined; after: RecordedFields }>();
    const counted = { recorded: 0, updated: 0, errors: 0 };
    for (const { run_id, source, status, is_new } of await bringFurther(tx, runs)) {
      counted[is_new ? 'recorded' : 'updated'] += 1;
      const before = is_new ? undefined : { source, status: 'running' };
      told.set(run_id, { before, ...told.get(run_id), after: { source, status, new_errors: 0 } });
    }
    const errors = runs.flatMap((run) => run.errors.map((error) => ({ ...error, run_id: run.run_id })));
    for (const { run_id, source, status, errors: new_errors } of await insertScrapingErrors(tx, errors)) {
      counted.errors += new_errors;
      const before = { source, status };
      told.set(run_id, { before, ...told.get(run_id), after: { source, status, new_errors } });
    }
    for (const [id, { before, after }] of told) {
      touch({ event: 'scraping_run.recorded', id, before, after });
    }
    return counted;
  });
  const { recorded, updated, errors } = counts;
  return { success: true, recorded, updated, duplicates: runs.length - recorded - updated, errors };
}

/** A run may be in a batch several times, as it got further; each time is a delivery of its own. */
async function bringFurther(tx: Database, runs: readonly ScrapingRun[]) {
  const changed: Awaited<ReturnType<typeof upsertScrapingRuns>>[number][] = [];
  for (let rest = runs; rest.length > 0; ) {
    const first = new Map(rest.toReversed().map((run) => [run.run_id, run]));
    changed.push(...(await upsertScrapingRuns(tx, [...first.values()])));
    rest = rest.filter((run) => first.get(run.run_id) !== run);
  }
  return changed;
}
