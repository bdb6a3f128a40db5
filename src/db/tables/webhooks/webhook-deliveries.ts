import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { creationSorts } from '../../../contract/fields/sorts.ts';
import type { DeliveryStatus } from '../../../contract/fields/webhooks.ts';
import type { ParsedInputOf } from '../../../contract/registry.ts';
import { maxTextLength } from '../../../contract/schemas/bounds.ts';
import { deliverySchema } from '../../../contract/schemas/webhook-deliveries.ts';
import type { Database } from '../../connection/database.ts';
import { between, equals, isOneOf } from '../../lists/list-filters.ts';
import {
  type ListColumns,
  type ListQuery,
  orderBy,
  plainColumns,
  shownColumns,
} from '../../lists/list-query.ts';
import { type SearchedTexts, searchIndexed } from '../../lists/search.ts';
import { affectsRow, textRow } from '../statements.ts';
import { endpointColumns } from './webhooks.ts';

/** A delivery as the log shows it. */
export type Delivery = z.infer<typeof deliverySchema>;

const deliveryColumns: ListColumns = {
  ...plainColumns(['id', 'webhook_id', 'message_id', 'type']),
  payload: { json: sql.fragment`payload::json` },
  ...plainColumns(['status', 'attempts']),
  next_attempt_at: { time: sql.fragment`next_attempt_at` },
  last_attempt_at: { time: sql.fragment`last_attempt_at` },
  ...plainColumns(['duration_ms', 'response_status', 'response_body', 'error', 'replay_of']),
  created_at: { time: sql.fragment`webhook_deliveries.created_at` },
};

/** Selects deliveries. An absent field matches all. */
export type DeliveryFilter = Partial<ParsedInputOf<'webhooks.deliveries'>>;

const deliveryTexts: SearchedTexts = {
  table: sql.fragment`webhook_deliveries as searched`,
  id: sql.fragment`searched.id`,
  // The expression of webhook_deliveries_search_text_idx.
  text: sql.fragment`
    delivery_search_text(searched.message_id, searched.type, searched.payload, searched.error)
  `,
};

/** Lists deliveries, newest first. */
export function deliveryList(filter: DeliveryFilter): ListQuery {
  const { id, webhook_id, status, type, q } = filter;
  const filters = [
    // No webhook has the id null.
    ...equals(sql.fragment`webhook_id`, webhook_id === null ? [] : webhook_id, 'int8'),
    ...equals(sql.fragment`status`, status),
    ...equals(sql.fragment`type`, type),
  ];
  return {
    columns: deliveryColumns,
    source: sql.fragment`from webhook_deliveries`,
    tables: ['webhook_deliveries'],
    filters,
    times: between(sql.fragment`webhook_deliveries.created_at`, filter),
    search: searchIndexed(q, deliveryTexts, sql.fragment`webhook_deliveries.id`),
    conditions: [id !== undefined && isOneOf(sql.fragment`webhook_deliveries.id`, id, 'int8')],
    order: orderBy(creationSorts, { created_at: sql.fragment`webhook_deliveries.created_at` }, filter),
    id: sql.fragment`webhook_deliveries.id`,
    maxTextBytes: sql.fragment`greatest(octet_length(payload), octet_length(response_body), octet_length(error))`,
  };
}

/** The result of an attempt to deliver a message. */
export interface DeliveryAttempt {
  readonly status: DeliveryStatus;
  /** Seconds until the next attempt, or null if there is none. */
  readonly nextInSeconds: number | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

/**
 * Returns the body of a test message. Its event has the id 0, because the event is recorded with the result, after the
 * message was sent.
 */
export async function selectTestPayload(db: Database, webhookId: number, actor: string): Promise<string> {
  return await db.oneFirst(sql.type(textRow)`
    select webhook_payload(0, 'webhook.tested', ${String(webhookId)}, ${actor}, now(), '{}') as payload
  `);
}

/** Inserts a delivery that is finished into the log. */
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
    returning ${shownColumns(deliveryColumns)}
  `);
}

const subjectId = sql.fragment`(payload::json #>> '{data,subject_id}')::bigint`;
/** Rows of earlier versions may have longer texts. */
const whole = (text: FragmentSqlToken) => sql.fragment`left(${text}, ${maxTextLength})`;

const contentOfDelivery = sql.fragment`
  case when include_content then case type
    when 'message.created' then (
      select json_build_object('content', ${whole(sql.fragment`content`)})
      from conversation_messages where conversation_messages.id = ${subjectId}
    )
    when 'issue.created' then (
      select json_build_object(
        'title', ${whole(sql.fragment`title`)}, 'description', ${whole(sql.fragment`issues.description`)}
      )
      from issues where issues.id = ${subjectId}
    )
  end end
`;

const dueDelivery = z.object({
  id: z.int(),
  message_id: z.string(),
  payload: z.string(),
  attempts: z.int(),
  /** The texts that its webhook asks for and that are still there. */
  content: z.record(z.string(), z.string()).nullable(),
  url: z.string(),
  secrets: z.array(z.string()),
});

/** A delivery to send now, with its endpoint. */
export type DueDelivery = z.infer<typeof dueDelivery>;

/** Returns the delivery of an active webhook that has been due longest, or null if none is due. */
export async function selectDueDelivery(db: Database, webhookId: number): Promise<DueDelivery | null> {
  return await db.maybeOne(sql.type(dueDelivery)`
    select webhook_deliveries.id, message_id, payload, attempts, ${contentOfDelivery} as content, ${endpointColumns}
    from webhook_deliveries
    join webhooks on webhooks.id = webhook_id and is_active = 1
    where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= now()
    order by next_attempt_at, webhook_deliveries.id
    limit 1
  `);
}

/**
 * Updates a delivery with the result of an attempt. Returns false if another process has recorded an attempt since:
 * there were `attempts` before.
 */
export async function updateDelivery(
  tx: Database,
  { id, attempts }: { readonly id: number; readonly attempts: number },
  attempt: DeliveryAttempt,
): Promise<boolean> {
  return await affectsRow(tx)`
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
  `;
}

/** Marks all pending deliveries of a webhook as failed. */
export async function failPendingDeliveries(tx: Database, webhookId: number | null, error: string) {
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
