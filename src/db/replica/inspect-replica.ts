import type { ClientBase } from 'pg';
import type { PlainPool } from '../connection/plain-pool.ts';
import { type WalPosition, walPosition } from './primary-position.ts';

/** What identifies a database and its history, besides its position. */
interface Lineage {
  /** A standby has that of its primary. */
  readonly system: string;
  readonly database: string;
  /** Each promotion begins a new one. */
  readonly timeline: number;
}

export interface PrimaryFacts extends Lineage {
  readonly position: WalPosition;
}

interface ReplicaFacts extends Lineage {
  readonly isStandby: boolean;
  /** It has replayed the log up to the primary's position. */
  readonly caughtUp: boolean;
}

/** Why a replica cannot be used. */
export type ReplicaProblem =
  | 'it is not a standby'
  | 'it is a standby of another server'
  | 'it is another database'
  | 'it does not follow the latest primary'
  | 'it lags behind the primary';

const systemIdentifier = '(select system_identifier::text from pg_control_system())';
const databaseId = '(select oid::text from pg_database where datname = current_database())';

/** Asks the primary what a replica must be. */
export async function inspectPrimary(primary: ClientBase | PlainPool): Promise<PrimaryFacts> {
  const { rows } = await primary.query<PrimaryFacts>(`
    select
      ${systemIdentifier} as system,
      ${databaseId} as database,
      -- The name of a file of the log starts with the timeline, in hexadecimal digits.
      ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline,
      (${walPosition})::text as position
  `);
  const [facts] = rows;
  if (facts === undefined) throw new Error('The primary returned no row.');
  return facts;
}

/** Asks a replica whether it has all that the primary had. Returns why not, or undefined. */
export async function findReplicaProblem(
  replica: ClientBase,
  primary: PrimaryFacts,
): Promise<ReplicaProblem | undefined> {
  // A standby knows its timeline by what it receives, which only some roles may see, or later by what it has saved.
  const { rows } = await replica.query<ReplicaFacts>(
    `
    select
      ${systemIdentifier} as system,
      ${databaseId} as database,
      greatest(
        (select received_tli from pg_stat_wal_receiver),
        (select timeline_id from pg_control_checkpoint()),
        (select min_recovery_end_timeline from pg_control_recovery())
      ) as timeline,
      pg_is_in_recovery() as "isStandby",
      coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "caughtUp"
    `,
    [primary.position],
  );
  const [facts] = rows;
  if (facts === undefined) throw new Error('The replica returned no row.');
  if (facts.system !== primary.system) return 'it is a standby of another server';
  if (!facts.isStandby) return 'it is not a standby';
  if (facts.database !== primary.database) return 'it is another database';
  if (facts.timeline !== primary.timeline) return 'it does not follow the latest primary';
  return facts.caughtUp ? undefined : 'it lags behind the primary';
}
