import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';

export interface NewPasswordReset {
  readonly adminId: string;
  readonly tokenHash: Buffer;
  readonly minutes: number;
}

/** Inserts a link that sets a new password. */
export async function insertPasswordReset(
  tx: Database,
  { adminId, tokenHash, minutes }: NewPasswordReset,
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into password_resets (admin_id, token_hash, expires_at)
    values (${adminId}, ${sql.binary(tokenHash)}, now() + make_interval(mins => ${minutes}))
  `);
}

const account = z.object({ id: z.string(), email: z.string() });

const resetId = z.object({ id: z.int() });

/** The account of a link. */
export type ResetAccount = z.infer<typeof account>;

/** Returns the account of the link with that token, or null if the link is too old or the account is not active. */
export async function selectResetAccount(db: Database, tokenHash: Buffer): Promise<ResetAccount | null> {
  return await db.maybeOne(sql.type(account)`
    select admins.id, email
    from password_resets join admins on admins.id = admin_id and is_active = 1
    where token_hash = ${sql.binary(tokenHash)} and expires_at > now()
  `);
}

/**
 * Deletes the link with that token. Returns false if another transaction was first. Lock the account before: its changes
 * delete its links, so a transaction that had locked the link first could deadlock with them.
 */
export async function takePasswordReset(tx: Database, tokenHash: Buffer): Promise<boolean> {
  const taken = await tx.maybeOneFirst(sql.type(resetId)`
    delete from password_resets where token_hash = ${sql.binary(tokenHash)} and expires_at > now() returning id
  `);
  return taken !== null;
}
