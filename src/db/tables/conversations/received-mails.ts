import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectedRows, idRanges } from '../statements.ts';
import { mentions, type Person } from '../visitors/person.ts';

/**
 * Makes other copies of a mail wait until the transaction ends, and reports whether it is stored already: two ways may
 * bring it at the same time.
 */
export async function lockMail(tx: Database, digest: string): Promise<boolean> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext(${digest}))`);
  return await tx.exists(sql.unsafe`select from received_mails where digest = ${digest}`);
}

const answered = z.object({ id: z.string(), visitor_email: z.string() });

/** A conversation that a mail may belong to. */
export type AnsweredConversation = z.infer<typeof answered>;

/**
 * Returns the conversations that a mail answers: those whose codes its recipients have, then those with the mails that it
 * refers to, the latest first.
 */
export async function selectAnswered(
  tx: Database,
  codes: readonly string[],
  mailIds: readonly string[],
): Promise<readonly AnsweredConversation[]> {
  const ids = sql.array([...mailIds], 'text');
  return await tx.any(sql.type(answered)`
    select c.id, c.visitor_email
    from (
      select id, null::bigint as message_id from conversations
      where reply_code = any(${sql.array([...codes], 'text')})
      union all
      select conversation_id, id from conversation_messages where id in (
        select message_id from message_deliveries where mail_id = any(${ids})
        union all
        select message_id from received_mails where mail_id = any(${ids})
      )
    ) as found
    join conversations c on c.id = found.id
    order by found.message_id desc nulls first
  `);
}

/** Reports whether the service itself has sent a mail. */
export async function isSentMail(db: Database, mailId: string): Promise<boolean> {
  return await db.exists(sql.unsafe`select from message_deliveries where mail_id = ${mailId}`);
}

interface NewMail {
  readonly message_id: number;
  readonly digest: string;
  readonly mail_id: string | null;
  readonly addresses: string;
  /** JSON. */
  readonly attachments: string;
  readonly bytes: number;
  readonly quoted_from: number | null;
  /** Made by `compressMail`. */
  readonly source: Buffer | null;
}

export async function insertReceivedMail(tx: Database, mail: NewMail): Promise<void> {
  const { message_id, digest, mail_id, addresses, attachments, bytes, quoted_from, source } = mail;
  await tx.query(sql.unsafe`
    insert into received_mails (message_id, digest, mail_id, addresses, attachments, bytes, quoted_from, source)
    values (${message_id}, ${digest}, ${mail_id}, ${addresses}, ${attachments}::json, ${bytes}, ${quoted_from},
      ${source === null ? null : sql.binary(source)})
  `);
}

export const compressMail = promisify(deflate) as (raw: Uint8Array) => Promise<Buffer>;
const decompress = promisify(inflate) as (source: Uint8Array) => Promise<Buffer>;

const sourceRow = z.object({ source: z.instanceof(Buffer).nullable() });

/** Returns the original of a message, or null if it has none. */
export async function selectMailSource(db: Database, messageId: number | null): Promise<Buffer | null> {
  const found = await db.maybeOne(sql.type(sourceRow)`
    select source from received_mails where message_id = ${messageId}::bigint
  `);
  return found?.source ? await decompress(found.source) : null;
}

const exportedMail = z.object({ message_id: z.int(), received_at: z.string(), bytes: z.int() });

/** Yields the mails of a conversation with their originals, oldest first. One after another: each may be large. */
export async function* selectMailsOf(db: Database, conversationId: string) {
  const mails = await db.any(sql.type(exportedMail)`
    select message_id, ${isoTimestamp(sql.fragment`received_at`)} as received_at, bytes
    from received_mails r join conversation_messages m on m.id = r.message_id
    where m.conversation_id = ${conversationId} order by r.id
  `);
  for (const mail of mails) yield { ...mail, source: await selectMailSource(db, mail.message_id) };
}

/**
 * Deletes the originals in which a visitor is named, and the names of their files: what is compressed cannot be redacted.
 * Returns how many mails there were.
 */
export async function deleteSourcesNaming(tx: Database, person: Person): Promise<number> {
  if (person.pattern === null) return 0;
  let deleted = 0;
  for await (const range of idRanges(tx, 'received_mails')) {
    deleted += await affectedRows(tx)`
      update received_mails set source = null, attachments = '[]', quoted_from = null
      where ${range} and (source is not null or attachments::text <> '[]') and (
        ${mentions(person, sql.fragment`addresses`)} or ${mentions(person, sql.fragment`attachments::text`)}
      )
    `;
  }
  return deleted;
}
