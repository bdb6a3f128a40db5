import { sql } from 'slonik';
import { currentTracer } from '../../shared/tracing.ts';
import type { Database } from '../connection/pool.ts';

/** The task of the queue that sends a link for a new password. */
export const resetTask = 'send_password_reset';

/** An account's owner who waits longer asks again. */
const maxAttempts = 5;

export interface ResetRequest {
  readonly email: string;
  /** The network address that it came from, or empty. */
  readonly address: string;
}

/** Queues the job that sends a link for a new password, if the e-mail has an account. */
export async function insertResetJob(db: Database, request: ResetRequest): Promise<void> {
  await db.query(sql.unsafe`
    select graphile_worker.add_job(
      ${resetTask}, ${JSON.stringify({ ...request, traceparent: currentTracer()?.traceparent() })}::json, max_attempts => ${maxAttempts}, priority => -1
    )
  `);
}
