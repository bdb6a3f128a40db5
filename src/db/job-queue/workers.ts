import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';

/** Shows that a worker is alive. One that has not done so for ten seconds counts as gone. */
export async function updateWorkerSeen(db: Database, name: string): Promise<void> {
  await db.query(sql.unsafe`
    insert into job_workers (name, seen_at) values (${name}, now())
    on conflict (name) do update set seen_at = excluded.seen_at
  `);
}

/** Frees the jobs of workers that are gone; by itself graphile-worker does so after four hours. */
export async function freeAbandonedJobs(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    with forgotten as (delete from job_workers where seen_at < now() - interval '1 hour')
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker.jobs
    -- One that has just started may have a job before it shows itself.
    where locked_at < now() - interval '10 seconds' and not exists (
      select from job_workers where name = locked_by and seen_at > now() - interval '10 seconds'
    )
  `);
}

/** Removes jobs that have failed for good a week ago; until then they are there to be looked at. */
export async function deleteFailedJobs(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    select graphile_worker.complete_jobs(array_agg(id))
    from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days'
  `);
}
