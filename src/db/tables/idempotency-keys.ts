import { sql } from 'slonik';
import { z } from 'zod';
import { isUniqueViolation } from '../connection/database-errors.ts';
import type { Database } from '../connection/pool.ts';

const claim = z.object({
  /** Another transaction holds the key. */
  is_running: z.boolean(),
  /** Null, like the answer, if none is stored. */
  fingerprint: z.instanceof(Buffer).nullable(),
  answer: z.instanceof(Buffer).nullable(),
});

/** Locks a key until the transaction ends, unless another one holds it, and returns what is stored under it. */
export async function claimIdempotencyKey(tx: Database, id: Buffer): Promise<z.infer<typeof claim>> {
  return await tx.one(sql.type(claim)`select * from claim_idempotency_key(${sql.binary(id)})`);
}

/** Locks keys until the transaction ends. Rejects if another one holds one, or an answer is stored: see `isKeyTaken`. */
export async function claimNewIdempotencyKeys(
  tx: Database,
  ids: readonly Buffer[],
): Promise<readonly unknown[]> {
  return await tx.any(sql.unsafe`
    select claim_new_idempotency_key(id) from unnest(${sql.array([...ids], 'bytea')}) as id
  `);
}

/** Reports whether a transaction failed because its key was not free. */
export function isKeyTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'idempotency_keys_pkey');
}

/** What is stored of a call with a key. */
export interface KeyedAnswer {
  readonly id: Buffer;
  readonly fingerprint: Buffer;
  readonly answer: Buffer;
}

/** Stores answers under keys that this transaction has claimed. They replace expired ones. */
export async function storeIdempotentAnswers(
  tx: Database,
  answers: readonly KeyedAnswer[],
): Promise<readonly unknown[]> {
  const column = (name: keyof KeyedAnswer) =>
    sql.array(
      answers.map((stored) => stored[name]),
      'bytea',
    );
  return await tx.any(sql.unsafe`
    insert into idempotency_keys (id, fingerprint, answer)
    select * from unnest(${column('id')}, ${column('fingerprint')}, ${column('answer')})
    on conflict (id) do update set
      fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
  `);
}

const countRow = z.object({ count: z.int() });

/** Deletes expired answers, oldest first, up to a limit. Returns how many it deleted. */
export async function deleteExpiredIdempotencyKeys(db: Database, limit: number): Promise<number> {
  return await db.oneFirst(sql.type(countRow)`
    with expired as (
      select id from idempotency_keys
      where created_at <= now() - interval '24 hours'
      order by created_at
      limit ${limit}
      -- A key that is used again right now gets a new answer.
      for update skip locked
    ), gone as (
      delete from idempotency_keys using expired where idempotency_keys.id = expired.id returning 1
    )
    select count(*) from gone
  `);
}
