import { sql } from 'slonik';
import { z } from 'zod';
import { createBackoff, wait } from '../../shared/waiting.ts';
import { type Database, openDatabase } from '../connection/database.ts';

/** What identifies a database and its history, besides its position. */
const lineage = z.object({
  /** A standby has that of its primary. */
  system: z.string(),
  database: z.string(),
  /** Each promotion begins a new one. */
  timeline: z.int(),
});

const primaryFacts = lineage.extend({ position: z.string() });
const replicaFacts = lineage.extend({ isStandby: z.boolean(), caughtUp: z.boolean() });

/** Why a replica cannot be used. */
export type ReplicaProblem =
  | 'it is not a standby'
  | 'it is a standby of another server'
  | 'it is another database'
  | 'it does not follow the latest primary'
  | 'it lags behind the primary';

/**
 * Where the log of the primary ends, so that each change whose caller has been answered is before it. A commit is on disk
 * when it is answered, unless `synchronous_commit` is off.
 */
export const walPosition = sql.fragment`
  case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn()
  end
`;

const systemIdentifier = sql.fragment`(select system_identifier::text from pg_control_system())`;
const databaseId = sql.fragment`(select oid::text from pg_database where datname = current_database())`;

/** Asks whether a replica has all that its primary has at this moment. Returns why not, or undefined. */
export async function findReplicaProblem(
  primary: Database,
  replica: Database,
): Promise<ReplicaProblem | undefined> {
  const expected = await primary.one(sql.type(primaryFacts)`
    select
      ${systemIdentifier} as system,
      ${databaseId} as database,
      -- The name of a file of the log starts with the timeline, in hexadecimal digits.
      ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline,
      (${walPosition})::text as position
  `);
  return await catchUp(async () => {
    // A standby knows its timeline by what it receives, which only some roles may see, or later by what it has saved.
    const facts = await replica.one(sql.type(replicaFacts)`
      select
        ${systemIdentifier} as system,
        ${databaseId} as database,
        greatest(
          (select received_tli from pg_stat_wal_receiver),
          (select timeline_id from pg_control_checkpoint()),
          (select min_recovery_end_timeline from pg_control_recovery())
        ) as timeline,
        pg_is_in_recovery() as "isStandby",
        coalesce(pg_last_wal_replay_lsn() >= ${expected.position}::pg_lsn, false) as "caughtUp"
    `);
    if (facts.system !== expected.system) return 'it is a standby of another server';
    if (!facts.isStandby) return 'it is not a standby';
    if (facts.database !== expected.database) return 'it is another database';
    if (facts.timeline !== expected.timeline) return 'it does not follow the latest primary';
    return facts.caughtUp ? undefined : 'it lags behind the primary';
  });
}

/**
 * How long a read waits for a replica that lags. A replica in the same network is behind by 1 to 5 ms while the primary
 * writes. A longer wait would slow down reads more than the replica saves, so the primary answers instead.
 */
export const catchUpMs = 50;

/** Asks a replica again while it lags, for `catchUpMs` after its first answer. Returns its last answer. */
export async function catchUp(
  ask: () => Promise<ReplicaProblem | undefined>,
): Promise<ReplicaProblem | undefined> {
  let problem = await ask();
  const startedAt = performance.now();
  const pause = createBackoff({ firstMs: 1, maxMs: 8 });
  while (problem === 'it lags behind the primary' && performance.now() - startedAt < catchUpMs) {
    await wait(pause.next());
    problem = await ask();
  }
  return problem;
}

/** Why a replica cannot be used, or how long it took to replay what the primary had written. */
export type Lag = { readonly problem: ReplicaProblem } | { readonly lagMs: number };

const measureMs = 5_000;

/** Measures how far a replica is behind its primary, for at most 5 s, on connections of its own. */
export async function measureLag(primaryUrl: string, replicaUrl: string): Promise<Lag> {
  const timeouts = { connectionMs: measureMs, statementMs: measureMs, lockMs: 0 };
  const open = (databaseUrl: string) => openDatabase({ databaseUrl, maxConnections: 1, timeouts });
  const [primary, replica] = [open(primaryUrl), open(replicaUrl)];
  try {
    // The time to connect is no lag.
    await Promise.all([primary, replica].map((server) => server.query(sql.unsafe`select`)));
    const startedAt = performance.now();
    let problem = await findReplicaProblem(primary, replica);
    while (problem === 'it lags behind the primary' && performance.now() - startedAt < measureMs) {
      problem = await findReplicaProblem(primary, replica);
    }
    return problem === undefined ? { lagMs: performance.now() - startedAt } : { problem };
  } finally {
    await Promise.all([primary.close(), replica.close()]);
  }
}
