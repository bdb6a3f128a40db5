import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/pool.ts';

/**
 * How many attempts under a key may fail, such as sign-ins to an account or from a network. The first failure starts a
 * window, and all of them count until it ends.
 */
export interface AttemptLimit {
  readonly key: string;
  readonly maxFailures: number;
}

const windowSeconds = 15 * 60;
/** How long an attempt counts as running after the last one under its key: its process may have been killed. */
const maxAttemptSeconds = 60;

const refusal = z.object({
  key: z.string(),
  /** Seconds until another attempt is allowed. Null if only running attempts, which may fail, reach the limit. */
  seconds: z.int().nullable(),
});

export type AttemptRefusal = z.infer<typeof refusal>;

/** The unit of `expire`: milliseconds since 1970. */
const now = sql.fragment`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

const inSeconds = (seconds: number) => sql.fragment`${now} + ${seconds * 1000}::bigint`;

/**
 * Whether a count still holds. If it ends later than a new one would, the clock of Postgres has jumped back since it began,
 * and it would lock the account for too long. The extra minute allows for small corrections of the clock.
 */
const holds = (table: string) => sql.fragment`
  (${sql.identifier([table, 'expire'])} > ${now} and ${sql.identifier([table, 'expire'])} <= ${inSeconds(windowSeconds + 60)})
`;

/** The key of the row that counts running attempts. The row of the key itself counts failures. */
const runningKey = (key: FragmentSqlToken) => sql.fragment`'under-way:' || ${key}`;

const keysOf = (limits: readonly AttemptLimit[]) =>
  sql.array(
    limits.map(({ key }) => key),
    'text',
  );

/**
 * Counts an attempt as running, unless it would exceed a limit if it and all running attempts failed. A refused attempt
 * is not counted.
 *
 * @returns why the attempt is refused, or null
 */
export async function startAttempt(
  db: Database,
  limits: readonly AttemptLimit[],
): Promise<AttemptRefusal | null> {
  return await db.transaction(async (tx) => {
    await lockKeys(tx, limits);
    return await tx.maybeOne(sql.type(refusal)`
      with wanted (key, max_failures) as (
        select * from ${sql.unnest(
          limits.map(({ key, maxFailures }) => [key, maxFailures]),
          ['text', 'int4'],
        )} as given
      ),
      refusal as (
        select
          wanted.key,
          case when failed.points >= wanted.max_failures
            then greatest(ceil((failed.expire - ${now}) / 1000.0), 1)::integer
          end as seconds
        from wanted
        left join rate_limits as failed on failed.key = wanted.key and ${holds('failed')}
        left join rate_limits as running
          on running.key = ${runningKey(sql.fragment`wanted.key`)} and ${holds('running')}
        where coalesce(failed.points, 0) + coalesce(running.points, 0) >= wanted.max_failures
        order by seconds desc nulls last
        limit 1
      ),
      started as (
        insert into rate_limits as counted (key, points, expire)
        select ${runningKey(sql.fragment`key`)}, 1, ${inSeconds(maxAttemptSeconds)}
        from wanted
        where not exists (select from refusal)
        on conflict (key) do update set
          points = case when ${holds('counted')} then counted.points else 0 end + 1,
          expire = excluded.expire
      )
      select key, seconds from refusal
    `);
  });
}

/** The result of an attempt. */
export interface AttemptOutcome {
  readonly failed?: readonly AttemptLimit[];
  readonly forgiven?: readonly AttemptLimit[];
}

/**
 * Ends an attempt that `startAttempt` counted.
 *
 * @param failed - the limits for which it counts as a failure
 * @param forgiven - the limits whose failures are forgotten; running attempts still count
 */
export async function endAttempt(
  db: Database,
  limits: readonly AttemptLimit[],
  { failed = [], forgiven = [] }: AttemptOutcome,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockKeys(tx, limits);
    await tx.query(sql.unsafe`
      with ended as (
        update rate_limits set points = points - 1
        from unnest(${keysOf(limits)}) as given (key)
        where rate_limits.key = ${runningKey(sql.fragment`given.key`)} and points > 0
      ),
      failed as (
        insert into rate_limits as counted (key, points, expire)
        select key, 1, ${inSeconds(windowSeconds)} from unnest(${keysOf(failed)}) as given (key)
        on conflict (key) do update set
          points = case when ${holds('counted')} then counted.points else 0 end + 1,
          expire = case when ${holds('counted')} then counted.expire else excluded.expire end
      )
      delete from rate_limits where key = any(${keysOf(forgiven)})
    `);
  });
}

/** Makes other transactions with the same keys wait until this one ends. Locks in a fixed order to avoid deadlocks. */
async function lockKeys(tx: Database, limits: readonly AttemptLimit[]): Promise<void> {
  await tx.query(sql.unsafe`
    select pg_advisory_xact_lock(hashtext('sign_in_limits'), number)
    from (select distinct hashtext(key) as number from unnest(${keysOf(limits)}) as given (key) order by 1) as ordered
  `);
}

/** Deletes expired counts. Skips a count that another transaction is updating. */
export async function deleteExpiredLimits(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    delete from rate_limits
    where key in (select key from rate_limits where expire <= ${now} for update skip locked)
  `);
}
