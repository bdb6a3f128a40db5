import { sql } from 'slonik';
import type { Database } from '../connection/database.ts';

/**
 * Keeps `updated_at` as it is until the transaction ends, or until it is switched off: what follows is no change of a
 * row.
 */
export async function keepUpdatedAt(tx: Database, keep = true): Promise<void> {
  await tx.query(sql.unsafe`select set_config('backoffice.keep_updated_at', ${keep ? 'on' : 'off'}, true)`);
}
