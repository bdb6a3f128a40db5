import { sql } from 'slonik';
import type { Database } from '../connection/pool.ts';

/**
 * Queues the job that sends a webhook's due deliveries. Not in a transaction that records changes: see the migration.
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
