import { sql } from 'slonik';
import { z } from 'zod';
import { savedReplySchema } from '../../contract/schemas/saved-replies.ts';
import type { Database } from '../connection/database.ts';
import { searchShort } from '../lists/search.ts';

/** The unique index on shortcuts, which ignores case. */
export const savedReplyShortcutConstraint = 'saved_replies_shortcut_key';

export type SavedReply = z.infer<typeof savedReplySchema>;
export type SavedReplyFields = Omit<SavedReply, 'id'>;

const savedReplyFields = savedReplySchema.omit({ id: true });
const idRow = z.object({ id: z.int() });

/** Returns saved replies, by shortcut. */
export async function selectSavedReplies(
  db: Database,
  { q, limit }: { readonly q?: string | undefined; readonly limit?: number | undefined },
): Promise<readonly SavedReply[]> {
  const search = searchShort(q, [sql.fragment`shortcut`, sql.fragment`title`, sql.fragment`content`]);
  return await db.any(sql.type(savedReplySchema)`
    select id, shortcut, title, content from saved_replies
    where ${search?.condition ?? sql.fragment`true`}
    order by lower(shortcut collate "C")
    limit ${limit ?? null}
  `);
}

/** Reports whether there are at least that many saved replies. */
export async function hasSavedReplies(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from saved_replies offset ${count - 1} limit 1`);
}

/**
 * Inserts a saved reply. Returns its id, or null if the shortcut is taken. Waits if another transaction is about to
 * take it.
 */
export async function insertSavedReply(
  tx: Database,
  { shortcut, title, content }: SavedReplyFields,
): Promise<number | null> {
  return await tx.maybeOneFirst(sql.type(idRow)`
    insert into saved_replies (shortcut, title, content)
    values (${shortcut}, ${title}, ${content})
    on conflict (lower(shortcut collate "C")) do nothing
    returning id
  `);
}

/**
 * Makes other changes of saved replies wait until this transaction ends. Otherwise two saved replies that take each
 * other's shortcut would deadlock on the unique index.
 */
export async function lockSavedReplies(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('saved replies'))`);
}

/** Returns the saved reply with the id, or null, and locks it until the transaction ends. */
export async function lockSavedReply(tx: Database, id: number | null): Promise<SavedReplyFields | null> {
  return await tx.maybeOne(sql.type(savedReplyFields)`
    select shortcut, title, content from saved_replies where id = ${id}::bigint for update
  `);
}

/** Updates all fields of a saved reply. */
export async function updateSavedReplyFields(
  tx: Database,
  id: number | null,
  { shortcut, title, content }: SavedReplyFields,
): Promise<void> {
  await tx.query(sql.unsafe`
    update saved_replies set shortcut = ${shortcut}, title = ${title}, content = ${content}
    where id = ${id}::bigint
  `);
}

/** Deletes a saved reply. Returns its fields, or null if there is none with the id. */
export async function deleteSavedReplyRow(tx: Database, id: number | null): Promise<SavedReplyFields | null> {
  return await tx.maybeOne(sql.type(savedReplyFields)`
    delete from saved_replies where id = ${id}::bigint returning shortcut, title, content
  `);
}
