import { sql } from 'slonik';
import { savedReplies } from '../../contract/fields/saved-replies.ts';
import { savedReplySchema } from '../../contract/operations/saved-replies.ts';
import type { Database } from '../connection/database.ts';
import { selectShort } from '../nouns/short-list.ts';

/** Returns saved replies, by shortcut. The unique index on shortcuts ignores case. */
export const selectSavedReplies = selectShort(
  savedReplies,
  savedReplySchema,
  sql.fragment`lower(shortcut collate "C")`,
);

/**
 * Makes other changes of saved replies wait until this transaction ends. Otherwise two that take each other's shortcut
 * would deadlock on the unique index.
 */
export async function lockSavedReplies(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('saved replies'))`);
}

/** Reports whether there are at least that many saved replies. */
export async function hasSavedReplies(db: Database, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from saved_replies offset ${count - 1} limit 1`);
}
