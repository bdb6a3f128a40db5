import { sql } from 'slonik';
import { z } from 'zod';
import { currentTracer } from '../../shared/tracing.ts';
import type { Database } from '../connection/database.ts';

/** The task of the queue that sends a mail. */
export const mailTask = 'send_mail';

/** With the delays of graphile-worker, the last attempt is 16 hours after the first. */
const mailAttempts = 12;

/** How many mails are sent at once. More would keep webhooks waiting when the mail server is slow. */
const mailQueues = 2;

const randomMailQueue = () => `mail:${1 + Math.floor(Math.random() * mailQueues)}`;

interface NewMailJob {
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
  await tx.query(sql.unsafe`
    select graphile_worker.add_job(
      ${mailTask},
      (${JSON.stringify(payload)}::jsonb || jsonb_build_object(
        'expires_at', to_json(now() + make_interval(mins => ${usefulMinutes}))
      ))::json,
      queue_name => ${randomMailQueue()}, max_attempts => ${mailAttempts}, priority => -1
    )
  `);
}

/** The task of the queue that sends a reply to its visitor. */
export const replyTask = 'send_reply';

/** What the key of its job begins with; the id of the message follows. */
export const replyJobKey = 'reply:';

/**
 * Queues the job that sends a reply once this transaction has committed. It names the message only, so the queue keeps
 * nothing of a visitor. Invitations and codes are sent first.
 */
export async function insertReplyJob(tx: Database, messageId: number): Promise<void> {
  const payload = { message_id: messageId, traceparent: currentTracer()?.traceparent() };
  await tx.query(sql.unsafe`
    select graphile_worker.add_job(
      ${replyTask}, ${JSON.stringify(payload)}::json, queue_name => ${randomMailQueue()},
      max_attempts => ${mailAttempts}, job_key => ${replyJobKey + messageId}
    )
  `);
}

/** Deletes the mails and links that no instance has sent within two days, because none has a mail server. */
export async function deleteUnsentMails(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    select graphile_worker.complete_jobs(array_agg(id))
    from graphile_worker.jobs
    where task_identifier in (${mailTask}, ${replyTask}, ${resetTask}) and locked_at is null and created_at < now() - interval '2 days'
  `);
}

const waitingMails = z.object({ count: z.int(), retried: z.int(), last_error: z.string().nullable() });

/** Returns how many mails wait to be sent, how many of them have failed at least once, and why the latest did. */
export async function countWaitingMails(db: Database): Promise<z.infer<typeof waitingMails>> {
  return await db.one(sql.type(waitingMails)`
    select count(*) as count, count(*) filter (where last_error is not null) as retried,
      (array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1] as last_error
    from graphile_worker.jobs
    where task_identifier = ${mailTask}
  `);
}

/** The task of the queue that sends a link for a new password. */
export const resetTask = 'send_password_reset';

/** An account's owner who waits longer asks again. */
const resetAttempts = 5;

export interface ResetRequest {
  readonly email: string;
  /** The network address that it came from, or empty. */
  readonly address: string;
}

/** Queues the job that sends a link for a new password, if the e-mail has an account. */
export async function insertResetJob(db: Database, request: ResetRequest): Promise<void> {
  const payload = { ...request, traceparent: currentTracer()?.traceparent() };
  await db.query(sql.unsafe`
    select graphile_worker.add_job(
      ${resetTask}, ${JSON.stringify(payload)}::json, max_attempts => ${resetAttempts}, priority => -1
    )
  `);
}

/**
 * Queues the job that sends a webhook's due deliveries. Not in a transaction that records changes: see `wake_webhooks`.
 */
export async function wakeWebhook(db: Database, id: number): Promise<void> {
  await db.query(sql.unsafe`select wake_webhooks(array[${id}::bigint])`);
}

/**
 * Queues that job for the time when the webhook's next delivery is due, if there is one. If it is already due, the job
 * goes to the end of the queue.
 */
export async function wakeWebhookLater(db: Database, id: number): Promise<void> {
  await db.query(sql.unsafe`
    select wake_webhooks(array[webhook_id], greatest(min(next_attempt_at), now()))
    from webhook_deliveries
    where webhook_id = ${id} and status = 'pending'
    group by webhook_id
  `);
}

/** Queues that job for every webhook with a delivery that has been due for a minute. */
export async function wakeDueWebhooks(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    select wake_webhooks(array_agg(distinct webhook_id))
    from webhook_deliveries
    where status = 'pending' and next_attempt_at < now() - interval '1 minute'
    having count(*) > 0
  `);
}

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
