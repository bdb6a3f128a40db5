import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { affectsRow, countRow, givenRows } from '../statements.ts';

const recoveryCode = z.object({ id: z.string(), sealed_hash: z.string() });
/** Returns the unused recovery codes of an admin, sealed. */
export async function selectRecoveryCodes(db: Database, adminId: string) {
  return await db.any(sql.type(recoveryCode)`
    select id, sealed_hash from admin_recovery_codes where admin_id = ${adminId} order by id
  `);
}

/** Returns how many unused recovery codes an admin has. */
export async function countRecoveryCodes(db: Database, adminId: string): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    select count(*)::integer as count from admin_recovery_codes where admin_id = ${adminId}
  `);
}

/** Replaces the recovery codes of an admin. */
export async function replaceRecoveryCodes(
  tx: Database,
  adminId: string,
  codes: readonly z.infer<typeof recoveryCode>[],
): Promise<void> {
  await deleteRecoveryCodes(tx, adminId);
  await tx.query(sql.unsafe`
    insert into admin_recovery_codes (id, admin_id, sealed_hash)
    select id, ${adminId}, sealed_hash
    from ${givenRows(codes, { id: 'text', sealed_hash: 'text' })}
  `);
}

/** Deletes the recovery codes of an admin. */
export async function deleteRecoveryCodes(tx: Database, adminId: string): Promise<void> {
  await tx.query(sql.unsafe`delete from admin_recovery_codes where admin_id = ${adminId}`);
}

/** Uses a recovery code, which deletes it. Returns false if it was used meanwhile. */
export async function useRecoveryCode(tx: Database, id: string): Promise<boolean> {
  return await affectsRow(tx)`
    delete from admin_recovery_codes where id = ${id}
  `;
}
