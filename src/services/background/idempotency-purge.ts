import type { Databases } from '../../db/replica/databases.ts';
import { deleteExpiredIdempotencyKeys } from '../../db/tables/idempotency-keys.ts';

/** Answers deleted per statement. */
const batchSize = 5_000;

/** Deletes the answers of calls with an `Idempotency-Key` that are older than 24 hours, in batches. */
export async function purgeIdempotencyKeys({ databases }: { readonly databases: Databases }): Promise<void> {
  while ((await deleteExpiredIdempotencyKeys(databases.primary, batchSize)) === batchSize);
}
