import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import type { DeliveryAttempt } from './webhook-deliveries.ts';
import { endpointColumns } from './webhooks.ts';

const dueDelivery = z.object({
  id: z.int(),
  message_id: z.string(),
  payload: z.string(),
  attempts: z.int(),
  url: z.string(),
  secrets: z.array(z.string()),
});

/** A delivery to send now, with its endpoint. */
export type DueDelivery = z.infer<typeof dueDelivery>;

/** Returns the delivery of an active webhook that has been due longest, or null if none is due. */
export async function selectDueDelivery(db: Database, webhookId: number): Promise<DueDelivery | null> {
  return await db.maybeOne(sql.type(dueDelivery)`
    select webhook_deliveries.id, message_id, payload, attempts, ${endpointColumns}
    from webhook_deliveries
    join webhooks on webhooks.id = webhook_id and is_active = 1
    where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= now()
    order by next_attempt_at, webhook_deliveries.id
    limit 1
  `);
}

/**
 * Updates a delivery with the result of an attempt.
 *
 * @param attempts - how many attempts there were before
 * @returns false if another process has recorded an attempt since
 */
export async function updateDelivery(
  tx: Database,
  { id, attempts }: { readonly id: number; readonly attempts: number },
  attempt: DeliveryAttempt,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    update webhook_deliveries set
      status = ${attempt.status},
      attempts = attempts + 1,
      last_attempt_at = now(),
      next_attempt_at = now() + make_interval(secs => ${attempt.nextInSeconds}),
      duration_ms = ${attempt.duration_ms},
      response_status = ${attempt.response_status},
      response_body = ${attempt.response_body},
      error = ${attempt.error}
    where id = ${id} and status = 'pending' and attempts = ${attempts}
  `);
  return rowCount === 1;
}

/** Marks all pending deliveries of a webhook as failed. */
export async function failPendingDeliveries(
  tx: Database,
  webhookId: number | null,
  error: string,
): Promise<void> {
  await tx.query(sql.unsafe`
    update webhook_deliveries set status = 'failed', next_attempt_at = null, error = ${error}
    where webhook_id = ${webhookId}::bigint and status = 'pending'
  `);
}

/** Marks the pending deliveries of a webhook as failed if it is inactive or has been deleted. */
export async function failUnwantedDeliveries(db: Database, webhookId: number, error: string): Promise<void> {
  await db.query(sql.unsafe`
    update webhook_deliveries set status = 'failed', next_attempt_at = null, error = ${error}
    where webhook_id = ${webhookId} and status = 'pending'
      and not exists (select from webhooks where id = ${webhookId} and is_active = 1)
  `);
}
