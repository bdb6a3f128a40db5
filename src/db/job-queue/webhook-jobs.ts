import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';

const countRow = z.object({ count: z.int() });

/** Queues the job that sends a webhook whatever is due. Not in a transaction that records changes: see the migration. */
export async function wakeWebhook(db: Database, id: number): Promise<void> {
  await db.query(sql.unsafe`select wake_webhooks(array[${id}::bigint])`);
}

/**
 * Queues that job for the time when the next delivery of the webhook is due, if there is one to come. Where one is due
 * already, the job goes to the end of the queue.
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

/** Gives up what is still to be sent to a webhook that is not active, or not there any more. */
export async function failUnwantedDeliveries(db: Database, webhookId: number, error: string): Promise<void> {
  await db.query(sql.unsafe`
    update webhook_deliveries set status = 'failed', next_attempt_at = null, error = ${error}
    where webhook_id = ${webhookId} and status = 'pending'
      and not exists (select from webhooks where id = ${webhookId} and is_active = 1)
  `);
}

/** Removes the oldest deliveries that are over and older than that, so many at most. Returns how many it removed. */
export async function deleteOldDeliveries(db: Database, days: number, limit: number): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    with old as (
      select id from webhook_deliveries
      where created_at < now() - make_interval(days => ${days}) and status <> 'pending'
      order by created_at, id
      limit ${limit}
      for update skip locked
    ), gone as (
      delete from webhook_deliveries using old where webhook_deliveries.id = old.id returning 1
    )
    select count(*) from gone
  `);
}
