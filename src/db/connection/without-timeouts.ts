import { sql } from 'slonik';
import type { Database } from './pool.ts';

/**
 * Runs the work in a transaction without the pool's timeouts of statements and locks, which are made for requests. For
 * long statements that an operator starts and waits for.
 */
export async function withoutTimeouts<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => {
    await tx.query(
      sql.unsafe`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`,
    );
    return await work(tx);
  });
}
