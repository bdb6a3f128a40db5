import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/pool.ts';

/** Under a key, so many failures at most; a failure counts until its window ends, which the first one opens. */
export interface SignInLimit {
  readonly key: string;
  readonly maxFailures: number;
}

const window = 15 * 60;
/** How long it is remembered where somebody has signed in from. */
const memory = 30 * 24 * 60 * 60;
/** Seconds without another under its key after which an attempt counts no longer whose end nobody told: its process was killed. */
const longestAttempt = 60;

const refusal = z.object({
  key: z.string(),
  /** Until a try may succeed again; null where the failures leave room, and it is attempts under way that may fail. */
  seconds: z.int().nullable(),
});

export type SignInRefusal = z.infer<typeof refusal>;

/** As `expire` has it: milliseconds since 1970. */
const now = sql.fragment`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

const inSeconds = (seconds: number) => sql.fragment`${now} + ${seconds * 1000}::bigint`;

/** The row that counts the attempts under way; that of the key itself counts the failures. */
const underWay = (key: FragmentSqlToken) => sql.fragment`'under-way:' || ${key}`;

const keysOf = (limits: readonly SignInLimit[]) =>
  sql.array(
    limits.map(({ key }) => key),
    'text',
  );

/** Whether somebody has signed in under that key of late. */
export async function hasRecentSignIn(db: Database, key: string): Promise<boolean> {
  return await db.exists(sql.unsafe`select from rate_limits where key = ${key} and expire > ${now}`);
}

/**
 * Counts an attempt as under way, unless a limit would be exceeded if it failed, and all others that are under way
 * with it. What is refused is not counted.
 *
 * @returns what refuses it, or null
 */
export async function startSignInAttempt(
  db: Database,
  limits: readonly SignInLimit[],
): Promise<SignInRefusal | null> {
  return await db.transaction(async (tx) => {
    await lock(tx, limits);
    return await tx.maybeOne(sql.type(refusal)`
      with wanted (key, most) as (
        select * from ${sql.unnest(
          limits.map(({ key, maxFailures: most }) => [key, most]),
          ['text', 'int4'],
        )} as given
      ),
      refusal as (
        select
          wanted.key,
          case when failed.points >= wanted.most
            then greatest(ceil((failed.expire - ${now}) / 1000.0), 1)::integer
          end as seconds
        from wanted
        left join rate_limits as failed on failed.key = wanted.key and failed.expire > ${now}
        left join rate_limits as tried
          on tried.key = ${underWay(sql.fragment`wanted.key`)} and tried.expire > ${now}
        where coalesce(failed.points, 0) + coalesce(tried.points, 0) >= wanted.most
        order by seconds desc nulls last
        limit 1
      ),
      begun as (
        insert into rate_limits as counted (key, points, expire)
        select ${underWay(sql.fragment`key`)}, 1, ${inSeconds(longestAttempt)}
        from wanted
        where not exists (select from refusal)
        on conflict (key) do update set
          points = case when counted.expire > ${now} then counted.points else 0 end + 1,
          expire = excluded.expire
      )
      select key, seconds from refusal
    `);
  });
}

/** What came of an attempt. */
export interface SignInOutcome {
  readonly failed?: readonly SignInLimit[];
  readonly forgiven?: readonly SignInLimit[];
  readonly remembered?: string;
}

/**
 * Ends an attempt that `beginSignInAttempt` has counted.
 *
 * @param failed - the limits that it counts for as a failure
 * @param forgiven - the limits whose failures so far count no longer; what others have under way goes on counting
 * @param remembered - the key that `isRemembered` from now on
 */
export async function endSignInAttempt(
  db: Database,
  limits: readonly SignInLimit[],
  { failed = [], forgiven = [], remembered }: SignInOutcome,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lock(tx, limits);
    await tx.query(sql.unsafe`
      with ended as (
        update rate_limits set points = points - 1
        from unnest(${keysOf(limits)}) as given (key)
        where rate_limits.key = ${underWay(sql.fragment`given.key`)} and points > 0
      ),
      failed as (
        insert into rate_limits as counted (key, points, expire)
        select key, 1, ${inSeconds(window)} from unnest(${keysOf(failed)}) as given (key)
        on conflict (key) do update set
          points = case when counted.expire > ${now} then counted.points else 0 end + 1,
          expire = case when counted.expire > ${now} then counted.expire else excluded.expire end
      ),
      remembered as (
        insert into rate_limits (key, points, expire)
        select key, 0, ${inSeconds(memory)} from (select ${remembered ?? null}::text as key) as given where key is not null
        on conflict (key) do update set expire = excluded.expire
      )
      delete from rate_limits where key = any(${keysOf(forgiven)})
    `);
  });
}

/** Makes whoever shares one of the keys wait until this transaction ends. In one order, so that no two wait crosswise. */
async function lock(tx: Database, limits: readonly SignInLimit[]): Promise<void> {
  await tx.query(sql.unsafe`
    select pg_advisory_xact_lock(hashtext('sign_in_limits'), number)
    from (select distinct hashtext(key) as number from unnest(${keysOf(limits)}) as given (key) order by 1) as ordered
  `);
}

/** Removes the counts that have expired. One that is about to be counted anew is left to the next time. */
export async function deleteExpiredLimits(db: Database): Promise<void> {
  await db.query(sql.unsafe`
    delete from rate_limits
    where key in (select key from rate_limits where expire <= ${now} for update skip locked)
  `);
}
