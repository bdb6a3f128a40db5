import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';
import { assignmentsOf } from '../nouns/rows.ts';

const mailboxState = z.object({ uid_validity: z.int().nullable(), last_uid: z.int().nullable() });

/** How far a mailbox is read. */
export type MailboxState = z.infer<typeof mailboxState>;

/** Takes or keeps a mailbox for some seconds, and returns its state, or null while another instance has it. */
export async function holdMailbox(db: Database, name: string, holder: string): Promise<MailboxState | null> {
  return await db.maybeOne(sql.type(mailboxState)`
    insert into mailboxes as mailbox (name, holder, held_until)
    values (${name}, ${holder}, now() + interval '6 seconds')
    on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
    where mailbox.holder is null or mailbox.holder = excluded.holder or mailbox.held_until < now()
    returning uid_validity, last_uid
  `);
}

interface MailboxUpdate extends Partial<MailboxState> {
  /** Null if all of it has just been read. */
  readonly error?: string | null;
  readonly holder?: null;
}

/** Updates the given columns of a mailbox. */
export async function updateMailbox(db: Database, name: string, update: MailboxUpdate): Promise<void> {
  const read = update.error === null ? [sql.fragment`read_at = now()`] : [];
  const columns = sql.join([...assignmentsOf(update), ...read], sql.fragment`, `);
  await db.query(sql.unsafe`update mailboxes set ${columns} where name = ${name}`);
}

const mailboxHealth = z.object({
  /** Null if it was never read. */
  seconds: z.number().nullable(),
  error: z.string().nullable(),
});

/** The mailbox is read every 15 seconds. One that was not read for so long needs attention. */
export const maxUnreadSeconds = 300;

/** Returns for how long a mailbox has not been read, and why. Without a name, of the one that was read last; null if there is none. */
export async function selectMailboxHealth(db: Database, name?: string) {
  return await db.maybeOne(sql.type(mailboxHealth)`
    select extract(epoch from now() - read_at)::float8 as seconds, error
    from mailboxes where ${name === undefined ? sql.fragment`true` : sql.fragment`name = ${name}`}
    order by held_until desc nulls last limit 1
  `);
}

/** Reports whether a service reads a mailbox, and mails come in that way. */
export async function isMailboxRead(db: Database): Promise<boolean> {
  const health = await selectMailboxHealth(db);
  return health?.error === null && health.seconds !== null && health.seconds < maxUnreadSeconds;
}
