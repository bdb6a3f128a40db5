import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';

/**
 * How many attempts under a key may fail, such as sign-ins to an account or from a network. The first failure starts a
 * window, and all of them count until it ends.
 */
export interface AttemptLimit {
  readonly key: string;
  readonly maxFailures: number;
}

const defaultWindowSeconds = 15 * 60;
/** How long an attempt counts as running after the last one under its key: its process may have been killed. */
const maxAttemptSeconds = 60;

const refusal = z.object({
  key: z.string(),
  /** Seconds until another attempt is allowed. Null if only running attempts, which may fail, reach the limit. */
  seconds: z.int().nullable(),
});

export type AttemptRefusal = z.infer<typeof refusal>;

const keysOf = (limits: readonly AttemptLimit[]) =>
  sql.array(
    limits.map(({ key }) => key),
    'text',
  );

/**
 * Counts an attempt as running, unless it would exceed a limit if it and all running attempts failed: then returns why
 * it is refused.
 */
export async function startAttempt(
  db: Database,
  limits: readonly AttemptLimit[],
  windowSeconds = defaultWindowSeconds,
) {
  const maxFailures = sql.array(
    limits.map((limit) => limit.maxFailures),
    'int4',
  );
  return await db.maybeOne(sql.type(refusal)`
    select key, seconds from start_attempt(${keysOf(limits)}, ${maxFailures}, ${windowSeconds}, ${maxAttemptSeconds})
  `);
}

/** The limits for which an attempt counts as a failure, and those whose failures are forgotten. */
export interface AttemptOutcome {
  readonly failed?: readonly AttemptLimit[];
  readonly forgiven?: readonly AttemptLimit[];
}

/** Ends an attempt that `startAttempt` counted. Running attempts still count where its failures are forgiven. */
export async function endAttempt(
  db: Database,
  limits: readonly AttemptLimit[],
  { failed = [], forgiven = [] }: AttemptOutcome,
  windowSeconds = defaultWindowSeconds,
): Promise<void> {
  await db.query(sql.unsafe`
    select end_attempt(${keysOf(limits)}, ${keysOf(failed)}, ${keysOf(forgiven)}, ${windowSeconds})
  `);
}
