import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { DeliveryStatus } from '../../contract/schemas/webhook-deliveries.ts';
import type { Database } from '../connection/pool.ts';
import { unprepared } from '../connection/prepared-statements.ts';

const countRow = z.object({ count: z.int() });
const targetRow = z.object({ id: z.int(), is_active: z.int() });

/** Which messages of a webhook are sent again. */
export interface ReplayFilter {
  readonly webhookId: number | null;
  /** Bounds of the message's first delivery in the range; where it was never sent, of when it was made. */
  readonly since: string;
  readonly until: string | undefined;
  /** Of the message's last delivery; undefined for any, and for messages that were never sent to this webhook. */
  readonly status: DeliveryStatus | undefined;
}

/** The webhook of that id, or of that delivery; null where there is none any more. */
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

/** Makes a delivery that is over due once more, as a new one. Returns how many that are: one or none. */
export async function insertReplay(tx: Database, deliveryId: number | null): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    insert into webhook_deliveries (webhook_id, message_id, type, payload, replay_of)
    select webhook_id, message_id, type, payload, id from webhook_deliveries
    where id = ${deliveryId}::bigint and status <> 'pending'
  `);
  return rowCount;
}

/** How many messages that would be, counted up to a limit. */
export async function countReplays(db: Database, filter: ReplayFilter, limit: number): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    ${unprepared} select count(*) from (select ${messages(filter)} limit ${limit}) as counted
  `);
}

/** Makes them due once more, in their old order. Returns how many there are. */
export async function insertReplays(tx: Database, filter: ReplayFilter): Promise<number> {
  return await tx.oneFirst(sql.type(countRow)`
    ${unprepared} with replay as (
      insert into webhook_deliveries (webhook_id, message_id, type, payload, replay_of)
      select ${filter.webhookId}::bigint, message_id, type, payload, replay_of
      from (select ${messages(filter)}) as message
      order by created_at, message_id
      returning 1
    )
    select count(*) from replay
  `);
}

/**
 * What was sent, by its last delivery and unless that is under way, and what the webhook wants to know and was never
 * told, as it was not there or not active. Tests are not among them.
 */
function messages({ webhookId, since, until = 'infinity', status }: ReplayFilter): FragmentSqlToken {
  return sql.fragment`
    sent.message_id, sent.type, sent.payload, sent.id as replay_of, last.first_at as created_at
    from (
      -- In one pass: to look for the last delivery of each message would be the dearer, the older the statistics are.
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
      and events.id > ${lastEventBefore(since)} and events.id <= ${lastEventBefore(until)}
      and not exists (
        select from webhook_deliveries
        where message_id = 'evt_' || events.id and webhook_id = ${webhookId}::bigint
      )
  `;
}

/**
 * The id of the last event before a time, or 0. Ids follow time, so that it is found without an index on time: from
 * the newest event back, which is no more than what a replay from that time on reads anyway.
 */
function lastEventBefore(time: string): FragmentSqlToken {
  return sql.fragment`
    coalesce((select id from events where created_at < ${time}::timestamptz order by id desc limit 1), 0)
  `;
}
