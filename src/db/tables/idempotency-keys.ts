import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';

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

/** What is stored of a call with a key. */
type KeyedAnswer = Readonly<Record<'id' | 'fingerprint' | 'answer', Buffer>>;

/** Stores an answer under a key that this transaction has claimed. It replaces an expired one. */
export async function storeIdempotentAnswer(tx: Database, { id, fingerprint, answer }: KeyedAnswer) {
  await tx.query(sql.unsafe`
    insert into idempotency_keys (id, fingerprint, answer)
    values (${sql.binary(id)}, ${sql.binary(fingerprint)}, ${sql.binary(answer)})
    on conflict (id) do update set
      fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at
  `);
}
