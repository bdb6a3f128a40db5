import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';

const taskBacklog = z.object({
  task: z.string(),
  /** Jobs that could run now. */
  ready: z.int(),
  running: z.int(),
  /** Jobs whose time has not come, such as those that are tried again later. */
  scheduled: z.int(),
  /** Jobs that were tried as often as they may be. */
  failed: z.int(),
  /** For how long the oldest of the ready ones could have run. */
  oldest_seconds: z.number(),
});

/** The jobs of a task that are in the queue. */
export type TaskBacklog = z.infer<typeof taskBacklog>;

/** Returns what is in the job queue, for each task that has jobs there. */
export async function selectQueueBacklog(db: Database): Promise<readonly TaskBacklog[]> {
  return await db.any(sql.type(taskBacklog)`
    select
      task_identifier as task,
      count(*) filter (where state = 'ready') as ready,
      count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'scheduled') as scheduled,
      count(*) filter (where state = 'failed') as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where state = 'ready')), 0)::float8 as oldest_seconds
    from (
      select task_identifier, run_at, case
        when locked_at is not null then 'running'
        when attempts >= max_attempts then 'failed'
        when run_at > now() then 'scheduled'
        else 'ready'
      end as state
      from graphile_worker.jobs
    ) as jobs
    group by task_identifier
  `);
}
