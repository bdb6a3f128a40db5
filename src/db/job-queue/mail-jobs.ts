import { sql } from 'slonik';
import { z } from 'zod';
import { currentTracer } from '../../shared/tracing.ts';
import type { Database } from '../connection/pool.ts';
import { resetTask } from './reset-jobs.ts';

/** The task of the queue that sends a mail. */
export const mailTask = 'send_mail';

/** With the delays of graphile-worker, the last attempt is 16 hours after the first. */
const maxAttempts = 12;

/** How many mails are sent at once. More would keep webhooks waiting when the mail server is slow. */
const queues = 2;

export interface NewMailJob {
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  /** The name of the service. */
  readonly site: string;
  readonly subject: string;
  /** JSON, or an encrypted text. */
  readonly content: unknown;
  readonly usefulMinutes: number;
}

/** Queues the job that sends a mail once this transaction has committed. It has no key, so it waits for nobody. */
export async function insertMailJob(tx: Database, mail: NewMailJob): Promise<void> {
  const { usefulMinutes, ...content } = mail;
  const payload = { ...content, traceparent: currentTracer()?.traceparent() };
  const queue = `mail:${1 + Math.floor(Math.random() * queues)}`;
  await tx.query(sql.unsafe`
    select graphile_worker.add_job(
      ${mailTask},
      (${JSON.stringify(payload)}::jsonb || jsonb_build_object(
        'expires_at', to_json(now() + make_interval(mins => ${usefulMinutes}))
      ))::json,
      queue_name => ${queue}, max_attempts => ${maxAttempts}, priority => -1
    )
  `);
}

/** Deletes the mails and links that no instance has sent within two days, because none has a mail server. */
export async function deleteUnsentMails(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    select graphile_worker.complete_jobs(array_agg(id))
    from graphile_worker.jobs
    where task_identifier in (${mailTask}, ${resetTask}) and locked_at is null and created_at < now() - interval '2 days'
  `);
}

const waiting = z.object({ count: z.int(), retried: z.int(), last_error: z.string().nullable() });

/** Returns how many mails wait to be sent, how many of them have failed at least once, and why the latest did. */
export async function countWaitingMails(db: Database): Promise<z.infer<typeof waiting>> {
  return await db.one(sql.type(waiting)`
    select count(*) as count, count(*) filter (where last_error is not null) as retried,
      (array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1] as last_error
    from graphile_worker.jobs
    where task_identifier = ${mailTask}
  `);
}
