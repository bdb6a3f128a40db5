import { sql } from 'slonik';
import type { Database } from './pool.ts';

/**
 * Runs the work in a transaction without the pool's statement timeout, which is made for requests. For long statements
 * that an operator starts and waits for.
 */
export async function withoutStatementTimeout<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => {
    await tx.query(sql.unsafe`set local statement_timeout = 0`);
    return await work(tx);
  });
}
