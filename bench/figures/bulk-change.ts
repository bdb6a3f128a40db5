import { median } from '../compare-rates.ts';
import { withConnection } from '../database/postgres.ts';
import { startService } from '../servers/contender.ts';
import type { Databases, Figure } from './figure.ts';

const changedIssues = 10_000;
const rounds = 7;
const maxMs = 2_000;
const minRatio = 0.3;
/**
 * Each round changes all rows twice, so that neither finds a value that is there already. Open comes last, because most
 * issues are new and have it.
 */
const statuses = ['In Progress', 'Resolved', 'Closed', 'Open'];

/**
 * Compares a bulk change over HTTP, with its history, event and audit record, with the floor: the UPDATE of the same rows
 * in plain SQL. They take turns. Run it last, because it changes issues.
 */
export async function compareBulkChange(databases: Databases, issues: number): Promise<Figure> {
  const databaseUrl = await databases(issues);
  const service = await startService(databaseUrl);
  try {
    return await withConnection(databaseUrl, async (client) => {
      const { rows } = await client.query<{ ids: number[] }>(
        'select array_agg(id::integer) as ids from (select id from issues order by random() limit $1) as chosen',
        [changedIssues],
      );
      const ids = rows[0]?.ids ?? [];
      let turn = 0;
      const nextStatus = () => statuses[turn++ % statuses.length];
      const change = async () => {
        const response = await fetch(`${service.url}/api/admin/issues`, {
          method: 'PATCH',
          headers: { ...service.headers, 'content-type': 'application/json' },
          body: JSON.stringify({ ids, set: { status: nextStatus() } }),
        });
        const { changed } = (await response.json()) as { changed?: number };
        if (changed === undefined || changed < changedIssues / 2) throw new Error('Too few issues changed.');
      };
      const update = () =>
        client.query('update issues set status = $1, updated_at = now() where id = any($2)', [
          nextStatus(),
          ids,
        ]);
      await change();
      await update();
      const times = [];
      for (let round = 0; round < rounds; round++) {
        times.push({ change: await timeOf(change), update: await timeOf(update) });
      }
      const changeMs = median(times.map((time) => time.change));
      const ratio = median(times.map((time) => time.update / time.change));
      return {
        name: 'bulk change of 10,000 issues',
        issues,
        service: `${changeMs.toFixed(0)} ms`,
        baseline: `${median(times.map((time) => time.update)).toFixed(0)} ms for the UPDATE alone`,
        result: ratio.toFixed(2),
        target: `≥ ${minRatio}, ≤ ${maxMs / 1_000} s`,
        met: ratio >= minRatio && changeMs <= maxMs,
      };
    });
  } finally {
    await service.stop();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
