import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { DeliveryStatus } from '../../../contract/fields/webhooks.ts';
import type { Database } from '../../connection/database.ts';
import { unprepared } from '../../connection/statements.ts';
import { affectedRows, countRow } from '../statements.ts';

const targetRow = z.object({ id: z.int(), is_active: z.int() });

/** Selects the messages of a webhook to send again. */
export interface ReplayFilter {
  readonly webhookId: number | null;
  /** Bounds of the time of a message's first delivery in the range, or of its event if it was never sent. */
  readonly since: string;
  readonly until: string | undefined;
  /**
   * The status of a message's last delivery. Undefined matches any, and also messages that were never sent to this
   * webhook.
   */
  readonly status: DeliveryStatus | undefined;
}

/** Returns the webhook with the id, or the webhook of the delivery, or null if it no longer exists. */
export async function selectReplayTarget(
  db: Database,
  {
    webhookId = null,
    deliveryId = null,
  }: Partial<Record<'webhookId' | 'deliveryId', number | null | undefined>>,
): Promise<z.infer<typeof targetRow> | null> {
  return await db.maybeOne(sql.type(targetRow)`
    select id, is_active from webhooks
    where id = coalesce(
      ${webhookId}::bigint,
      (select webhook_id from webhook_deliveries where id = ${deliveryId}::bigint)
    )
  `);
}

/** Inserts a copy of a finished delivery, due now. Returns how many it inserted: one or none. */
export async function insertReplay(tx: Database, deliveryId: number | null): Promise<number> {
  return await affectedRows(tx)`
    insert into webhook_deliveries (webhook_id, message_id, type, payload, replay_of)
    select webhook_id, message_id, type, payload, id from webhook_deliveries
    where id = ${deliveryId}::bigint and status <> 'pending'
  `;
}

/** Returns how many messages a replay would send, counted up to a limit. */
export async function countReplays(db: Database, filter: ReplayFilter, limit: number): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    ${unprepared} select count(*) from (select ${messagesOf(filter)} limit ${limit}) as counted
  `);
}

/** Inserts a due delivery for each message, in their original order. Returns how many it inserted. */
export async function insertReplays(tx: Database, filter: ReplayFilter): Promise<number> {
  return await affectedRows(tx)`
    ${unprepared} insert into webhook_deliveries (webhook_id, message_id, type, payload, replay_of)
    select ${filter.webhookId}::bigint, message_id, type, payload, replay_of
    from (select ${messagesOf(filter)}) as message
    order by created_at, message_id
  `;
}

/**
 * Selects the messages that were sent and whose last delivery is finished, and the events that the webhook subscribes
 * to but never received because it did not exist or was inactive. Test messages are left out.
 */
function messagesOf({ webhookId, since, until = 'infinity', status }: ReplayFilter): FragmentSqlToken {
  return sql.fragment`
    sent.message_id, sent.type, sent.payload, sent.id as replay_of, last.first_at as created_at
    from (
      -- One pass: finding the last delivery of each message separately gets slower as the statistics get older.
      select distinct on (message_id) id, min(created_at) over (partition by message_id) as first_at
      from webhook_deliveries
      where webhook_id = ${webhookId}::bigint and type <> 'webhook.tested' and created_at >= ${since}::timestamptz
      order by message_id, id desc
    ) as last
    join webhook_deliveries as sent using (id)
    where last.first_at < ${until}::timestamptz
      and sent.status <> 'pending' and sent.status = coalesce(${status ?? null}, sent.status)
    union all
    select
      'evt_' || events.id, events.type,
      webhook_payload(events.id, events.type, events.subject_id, events.actor, events.created_at, events.data),
      null, events.created_at
    from events
    join webhooks on webhooks.id = ${webhookId}::bigint
      and (webhooks.events = '{}' or events.type = any (webhooks.events))
    where ${status ?? null}::text is null and events.type <> 'webhook.tested'
      and events.id > ${lastEventBefore(sql.fragment`${since}::timestamptz - interval '50 seconds'`)}
      and events.id <= ${lastEventBefore(sql.fragment`${until}::timestamptz`)}
      and events.created_at >= ${since}::timestamptz and events.created_at < ${until}::timestamptz
      and not exists (
        select from webhook_deliveries
        where message_id = 'evt_' || events.id and webhook_id = ${webhookId}::bigint
      )
  `;
}

/**
 * Selects the id of the last event before a time, or 0. Ids follow time, so no index on time is needed: the scan goes
 * back from the newest event and reads no more than a replay from that time reads anyway. They follow it closely, not
 * strictly: a change is published when its transaction ends, which the service's timeouts limit to less than 50 seconds.
 */
function lastEventBefore(time: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    coalesce((select id from events where created_at < ${time} order by id desc limit 1), 0)
  `;
}
