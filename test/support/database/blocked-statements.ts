import { expect } from 'vitest';
import type { Backoffice } from '../http/backoffice.ts';

/** Waits until the given number of statements in the test file's database wait for a lock. */
export async function untilBlocked({ sql }: Pick<Backoffice, 'sql'>, statements = 1): Promise<void> {
  const count = async () => {
    const waiting = await sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length;
  };
  await expect.poll(count, { interval: 10 }).toBe(statements);
}
