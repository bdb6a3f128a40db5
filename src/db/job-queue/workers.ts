import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';

/** Updates when a worker was last alive. After ten seconds without an update it counts as gone. */
export async function updateWorkerSeen(db: Database, name: string): Promise<void> {
  await db.query(sql.unsafe`
    insert into job_workers (name, seen_at) values (${name}, now())
    on conflict (name) do update set seen_at = excluded.seen_at
  `);
}

/** Releases the jobs of workers that are gone. graphile-worker itself does so only after four hours. */
export async function freeAbandonedJobs(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    with old_workers as (delete from job_workers where seen_at < now() - interval '1 hour')
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker.jobs
    -- A worker that has just started may have a job before its first update.
    where locked_at < now() - interval '10 seconds' and not exists (
      select from job_workers where name = locked_by and seen_at > now() - interval '10 seconds'
    )
  `);
}

/** Deletes jobs a week after their last attempt failed. Until then they can be inspected. */
export async function deleteFailedJobs(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    select graphile_worker.complete_jobs(array_agg(id))
    from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days'
  `);
}
