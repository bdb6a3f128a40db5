import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { wait } from '../../shared/waiting.ts';
import { type Database, openDatabase } from '../connection/database.ts';

/** Why a replica cannot be used. */
export type ReplicaProblem =
  | 'it is not a standby'
  | 'it does not follow this primary'
  | 'it lags behind the primary';

/**
 * Identifies a database and its timeline. A standby has the system identifier of its primary, and each promotion begins a
 * new timeline: a replica of a former primary may be at a higher position of another one.
 */
const lineageAt = (timeline: FragmentSqlToken) => sql.fragment`
  concat_ws('/', (select system_identifier from pg_control_system()), current_database(), ${timeline}) as lineage
`;

/**
 * Where the log of the primary ends, so that each change whose caller has been answered is before it. A commit is on disk
 * when it is answered, unless `synchronous_commit` is off.
 */
export const walPosition = sql.fragment`(
  case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn()
  end
)::text as position`;

// The name of a file of the log starts with the timeline, in hexadecimal digits.
const ofPrimary = sql.type(z.object({ lineage: z.string(), position: z.string() }))`
  select ${walPosition}, ${lineageAt(sql.fragment`
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer
  `)}
`;

// A standby knows its timeline by what it receives, which only some roles may see, or later by what it has saved.
const ofReplica = sql.type(z.object({ lineage: z.string() }))`
  select ${lineageAt(sql.fragment`
    greatest(
      (select received_tli from pg_stat_wal_receiver),
      (select timeline_id from pg_control_checkpoint()),
      (select min_recovery_end_timeline from pg_control_recovery())
    )
  `)}
`;

/** Asks whether a replica has all that its primary has at this moment. Returns why not, or undefined. */
export async function findReplicaProblem(
  primary: Database,
  replica: Database,
): Promise<ReplicaProblem | undefined> {
  const { lineage, position } = await primary.one(ofPrimary);
  const problem = await catchUp(replica, position);
  if (problem === 'it is not a standby') return problem;
  return (await replica.oneFirst(ofReplica)) === lineage ? problem : 'it does not follow this primary';
}

/**
 * How long a read waits for a replica that lags. A replica in the same network is behind by 1 to 5 ms while the primary
 * writes. A longer wait would slow down reads more than the replica saves, so the primary answers instead.
 */
export const catchUpMs = 50;

const standbyRow = z.object({ isStandby: z.boolean(), caughtUp: z.boolean() });

/** Waits until a replica has replayed the log of the primary up to a position. Returns why it cannot be used, or undefined. */
export async function catchUp(replica: Database, position: string): Promise<ReplicaProblem | undefined> {
  const startedAt = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 8)) {
    const { isStandby, caughtUp } = await replica.one(sql.type(standbyRow)`
      select
        pg_is_in_recovery() as "isStandby",
        coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false) as "caughtUp"
    `);
    if (!isStandby) return 'it is not a standby';
    if (caughtUp) return undefined;
    if (performance.now() - startedAt >= catchUpMs) return 'it lags behind the primary';
    await wait(pauseMs);
  }
}

const measureMs = 5_000;

/**
 * Measures how many milliseconds a replica takes to replay what its primary has written, for at most 5 s, on connections
 * of its own. Returns why it cannot be used if that is so.
 */
export async function measureLag(primaryUrl: string, replicaUrl: string): Promise<ReplicaProblem | number> {
  const primary = openDatabase({ databaseUrl: primaryUrl, maxConnections: 1 });
  const replica = openDatabase({ databaseUrl: replicaUrl, maxConnections: 1 });
  try {
    // The time to connect is no lag.
    await Promise.all([primary, replica].map((server) => server.query(sql.unsafe`select`)));
    const startedAt = performance.now();
    for (;;) {
      const problem = await findReplicaProblem(primary, replica);
      const lagMs = performance.now() - startedAt;
      if (problem === undefined) return lagMs;
      if (problem !== 'it lags behind the primary' || lagMs >= measureMs) return problem;
    }
  } finally {
    await Promise.all([primary.close(), replica.close()]);
  }
}
