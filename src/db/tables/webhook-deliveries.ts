import { sql } from 'slonik';
import { z } from 'zod';
import type { Position } from '../../contract/schemas/lists.ts';
import { type DeliveryStatus, deliverySchema } from '../../contract/schemas/webhook-deliveries.ts';
import type { Database } from '../connection/pool.ts';
import { contains, type ListQuery } from '../lists/list-query.ts';
import { isoTimestamp } from '../timestamps.ts';
import { endpointColumns } from './webhooks.ts';

/** One delivery, as the log shows it. */
export type Delivery = z.infer<typeof deliverySchema>;

const deliveryColumns = sql.fragment`
  id, webhook_id, message_id, type, payload::json as payload, status, attempts,
  ${isoTimestamp(sql.fragment`next_attempt_at`)} as next_attempt_at,
  ${isoTimestamp(sql.fragment`last_attempt_at`)} as last_attempt_at,
  duration_ms, response_status, response_body, error, replay_of,
  ${isoTimestamp(sql.fragment`webhook_deliveries.created_at`)} as created_at
`;

/** Which deliveries are asked for; what is absent does not matter. */
export interface DeliveryFilter {
  /** Null is that of no webhook. */
  readonly webhook_id?: number | null | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** Contained in the message's id or body, or in the error. */
  readonly q?: string | undefined;
  /** Bounds of `created_at`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only those after this place in the list. */
  readonly cursor?: Position<number> | undefined;
}

/** The deliveries, the newest first. */
export function deliveryList(filter: DeliveryFilter): ListQuery {
  const { webhook_id, status, q, since, until, cursor } = filter;
  const conditions = [
    webhook_id !== undefined && sql.fragment`webhook_id = ${webhook_id}::bigint`,
    status !== undefined && sql.fragment`status = ${status}`,
    q !== undefined &&
      contains([sql.fragment`message_id`, sql.fragment`payload`, sql.fragment`coalesce(error, '')`], q),
    since !== undefined && sql.fragment`webhook_deliveries.created_at >= ${since}::timestamptz`,
    until !== undefined && sql.fragment`webhook_deliveries.created_at < ${until}::timestamptz`,
    cursor !== undefined &&
      sql.fragment`(webhook_deliveries.created_at, id) < (${cursor[0]}::timestamptz, ${cursor[1]}::bigint)`,
  ];
  return {
    columns: deliveryColumns,
    source: sql.fragment`from webhook_deliveries`,
    conditions,
    time: sql.fragment`webhook_deliveries.created_at`,
    id: sql.fragment`id`,
    maxTextBytes: sql.fragment`greatest(octet_length(payload), octet_length(response_body), octet_length(error))`,
  };
}

const dueDelivery = z.object({
  id: z.int(),
  message_id: z.string(),
  payload: z.string(),
  attempts: z.int(),
  url: z.string(),
  secrets: z.array(z.string()),
});

/** A delivery that is to be sent now, and where to. */
export type DueDelivery = z.infer<typeof dueDelivery>;

/** The delivery of an active webhook that has been due for longest, or null where none is. */
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

/** What came of an attempt. */
export interface DeliveryAttempt {
  readonly status: DeliveryStatus;
  /** Seconds until the next one; null where there is none to come. */
  readonly nextInSeconds: number | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/**
 * Writes an attempt into the log.
 *
 * @param attempts - how many there were before
 * @returns false where somebody else has written one meanwhile
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

/** Writes a delivery that is over into the log. */
export async function insertFinishedDelivery(
  tx: Database,
  delivery: Pick<Delivery, 'webhook_id' | 'message_id' | 'type'> & { readonly body: string },
  attempt: DeliveryAttempt,
): Promise<Delivery> {
  return await tx.one(sql.type(deliverySchema)`
    insert into webhook_deliveries (
      webhook_id, message_id, type, payload, status, attempts, next_attempt_at, last_attempt_at,
      duration_ms, response_status, response_body, error
    ) values (
      ${delivery.webhook_id}, ${delivery.message_id}, ${delivery.type}, ${delivery.body},
      ${attempt.status}, 1, null, now(),
      ${attempt.duration_ms}, ${attempt.response_status}, ${attempt.response_body}, ${attempt.error}
    )
    returning ${deliveryColumns}
  `);
}

/** Gives up whatever is still to be sent to a webhook. */
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
