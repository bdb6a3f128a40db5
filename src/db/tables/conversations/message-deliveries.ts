import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { DeliveryState } from '../../../contract/deliveries.ts';
import { eventDataSchemas } from '../../../contract/events/data.ts';
import type { Database } from '../../connection/database.ts';
import { replyJobKey } from '../../job-queue/jobs.ts';
import { isoTimestamp } from '../../timestamps.ts';

const address = z.object({ visitor_email: z.string(), reply_code: z.string() });

/** Returns where a reply goes. The given code becomes that of the conversation if it has none yet. */
export async function selectReplyAddress(tx: Database, conversationId: string, code: string) {
  return await tx.one(sql.type(address)`
    update conversations set reply_code = coalesce(reply_code, ${code}) where id = ${conversationId}
    returning visitor_email, reply_code
  `);
}

/** Inserts the delivery of a reply, or gives an existing one a new state. Its Message-ID stays what it was. */
export async function putDelivery(
  tx: Database,
  { message_id, state }: DeliveredMessage,
  mailId: string,
  error: string | null,
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into message_deliveries (message_id, mail_id, state, error)
    values (${message_id}, ${mailId}, ${state}, ${error})
    on conflict (message_id) do update set state = excluded.state, error = excluded.error, changed_at = now()
  `);
}

/** Selects the JSON of the delivery of a message. */
export const deliveryOf = (messageId: FragmentSqlToken) => sql.fragment`
  select json_build_object('state', state, 'at', ${isoTimestamp(sql.fragment`changed_at`)}, 'error', error)
  from message_deliveries where message_id = ${messageId}
`;

const delivered = eventDataSchemas['message.delivered'];

/** The state of the mail of a message. */
export type DeliveredMessage = z.infer<typeof delivered>;

/**
 * Locks the conversation of a message, as every change of one does first, and returns the state of the message's mail: null
 * if it has none. Returns null without such a message.
 */
export async function lockDelivery(tx: Database, messageId: number | null) {
  await tx.query(sql.unsafe`
    select from conversations
    where id = (select conversation_id from conversation_messages where id = ${messageId}::bigint)
    for no key update
  `);
  // A second statement, so that its snapshot includes what the previous holder of the lock did.
  return await tx.maybeOne(sql.type(delivered.extend({ state: delivered.shape.state.nullable() }))`
    select m.id as message_id, m.conversation_id, d.state
    from conversation_messages m left join message_deliveries d on d.message_id = m.id
    where m.id = ${messageId}::bigint
  `);
}

/** Updates deliveries `d`, and returns those that it changes. */
async function update(tx: Database, state: DeliveryState, error: string, where: FragmentSqlToken) {
  return await tx.any(sql.type(delivered)`
    update message_deliveries d
    set state = ${state}, error = nullif(${error}, ''),
      changed_at = case when d.state = ${state} then d.changed_at else now() end
    from conversation_messages m
    where m.id = d.message_id and ${where}
    returning d.message_id, m.conversation_id, d.state
  `);
}

/**
 * Notes how an attempt to send a queued mail ended: it is sent, has failed, or waits for another attempt because of an
 * error. Returns null if that is known or it no longer waits: another instance was faster, or it has come back already.
 */
export async function noteAttempt(
  tx: Database,
  messageId: number,
  state: 'sent' | 'failed' | 'queued',
  error = '',
): Promise<DeliveredMessage | null> {
  const isNew = sql.fragment`(${state} <> 'queued' or d.error is distinct from ${error})`;
  const where = sql.fragment`d.message_id = ${messageId} and d.state = 'queued' and ${isNew}`;
  return (await update(tx, state, error, where))[0] ?? null;
}

/**
 * Marks a mail as bounced. Takes its Message-ID without angle brackets. Returns its message, or null if we have not sent
 * it, or know that it has come back.
 */
export async function markBounced(
  tx: Database,
  mailId: string,
  reason: string,
): Promise<DeliveredMessage | null> {
  const where = sql.fragment`d.mail_id = ${mailId} and d.state <> 'bounced'`;
  return (await update(tx, 'bounced', reason, where))[0] ?? null;
}

/** Marks queued mails whose job is gone or was tried too often as failed, up to a limit. Returns their messages. */
export async function failLostDeliveries(tx: Database, error: string, limit: number) {
  const lost = sql.fragment`
    select message_id from message_deliveries
    where state = 'queued' and changed_at < now() - interval '1 minute' and not exists (
      select from graphile_worker.jobs
      where key = ${replyJobKey} || message_id and (attempts < max_attempts or locked_at is not null)
    )
    order by message_id
    limit ${limit}
    for no key update skip locked
  `;
  return await update(tx, 'failed', error, sql.fragment`d.message_id = any(array(${lost}))`);
}

const queuedReply = z.object({
  mail_id: z.string(),
  content: z.string(),
  subject: z.string(),
  visitor_email: z.string(),
  visitor_name: z.string(),
  reply_code: z.string(),
  /** The visitor's last message before it, and when it was written. Null if there is none. */
  quoted: z.string().nullable(),
  quoted_at: z.coerce.date().nullable(),
  /** The Message-IDs of the latest mails of the conversation before it, the latest first. */
  earlier: z.array(z.string()),
});

export type QueuedReply = z.infer<typeof queuedReply>;

/** How many earlier mails one refers to. Mail programs make a thread of the last of them. */
const maxReferences = 20;

/** Returns what the mail of a reply says, or null if it no longer waits to be sent or is deleted. */
export async function selectQueuedReply(db: Database, messageId: number): Promise<QueuedReply | null> {
  return await db.maybeOne(sql.type(queuedReply)`
    select d.mail_id, m.content, c.subject, c.visitor_email, c.visitor_name, c.reply_code,
      quoted.content as quoted, to_json(quoted.created_at) #>> '{}' as quoted_at,
      array(
        select mails.mail_id
        from (
          select message_id, mail_id from message_deliveries where state <> 'failed'
          union all
          select message_id, mail_id from received_mails where mail_id is not null
        ) as mails
        join conversation_messages earlier on earlier.id = mails.message_id
        where earlier.conversation_id = c.id and (earlier.created_at, earlier.id) < (m.created_at, m.id)
        order by earlier.created_at desc, earlier.id desc
        limit ${maxReferences}
      ) as earlier
    from message_deliveries d
    join conversation_messages m on m.id = d.message_id
    join conversations c on c.id = m.conversation_id
    left join lateral (
      select v.content, v.created_at
      from conversation_messages v
      where v.conversation_id = c.id and v.sender_type = 'visitor' and (v.created_at, v.id) < (m.created_at, m.id)
      order by v.created_at desc, v.id desc
      limit 1
    ) as quoted on true
    where d.message_id = ${messageId} and d.state = 'queued'
  `);
}

const waiting = z.object({
  count: z.int(),
  oldest_seconds: z.number(),
  /** Why the latest of those that were tried failed. */
  error: z.string().nullable(),
});

/** Returns how many mails to visitors wait in the queue, for how long the oldest does, and why. */
export async function selectWaitingDeliveries(db: Database): Promise<z.infer<typeof waiting>> {
  return await db.one(sql.type(waiting)`
    select count(*) as count, coalesce(extract(epoch from now() - min(changed_at)), 0)::float8 as oldest_seconds,
      (array_agg(error order by changed_at desc) filter (where error is not null))[1] as error
    from message_deliveries where state = 'queued'
  `);
}
