import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';

const adminId = z.object({ id: z.string() });
const adminCount = z.object({ count: z.int() });

/** Returns how many superadmins can sign in. */
export async function countActiveSuperadmins(db: Database): Promise<number> {
  return await db.oneFirst(sql.type(adminCount)`
    select count(*) from admins where role = 'superadmin' and is_active = 1
  `);
}

/** Returns the ids of the active superadmins and locks them, so that two transactions cannot remove the last one. */
export async function lockActiveSuperadmins(tx: Database): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(adminId)`
    select id from admins where role = 'superadmin' and is_active = 1 order by id for update
  `);
}
