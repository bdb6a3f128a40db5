import { expect } from 'vitest';
import type { Backoffice } from '../http/backoffice.ts';

/**
 * Waits until the given number of statements in the test file's database wait for a lock. The publishers of two processes
 * wait for each other, which does not count.
 */
export async function untilBlocked({ sql }: Pick<Backoffice, 'sql'>, statements = 1): Promise<void> {
  const count = async () => {
    // Within a transaction, the view would show what it showed first.
    await sql('select pg_stat_clear_snapshot()');
    const waiting = await sql(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and not exists (
         select from pg_locks
         where pg_locks.pid = pg_stat_activity.pid and not granted
           and (classid, objid) = (hashtext('backoffice')::oid, hashtext('events')::oid)
       )`,
    );
    return waiting.length;
  };
  await expect.poll(count, { interval: 10 }).toBe(statements);
}
