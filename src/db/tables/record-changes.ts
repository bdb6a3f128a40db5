import { sql } from 'slonik';
import type { EventType } from '../../contract/vocabulary.ts';
import type { Database } from '../connection/pool.ts';

/** The fields of a row that a record tells: no secret, and no setting's value. */
export type RecordedFields = Readonly<Record<string, unknown>>;

/** One row that a transaction changed. What is told of its texts are the first 200 characters, with `…` for the rest. */
export interface ChangedRow {
  readonly event: EventType;
  /** What it happened to; null where that is no single row. */
  readonly id: string | number | null;
  /** Absent where it is new. */
  readonly before?: RecordedFields | undefined;
  /** Absent where it is gone. */
  readonly after?: RecordedFields | undefined;
}

/** Who changed it, and from where. */
export interface Origin {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string;
  readonly door: string;
  /** The network address, or empty. */
  readonly address: string;
}

/**
 * Records what a transaction changed, in it: an event and an audit record for each. It takes a lock until the end of
 * the transaction, so it comes last (see the migration of `events`). Every other change waits for that end: a host
 * that freezes before it commits holds them up for two seconds, not for as long as a transaction may rest otherwise.
 */
export async function recordChanges(
  tx: Database,
  origin: Origin,
  operation: string,
  touched: readonly ChangedRow[],
): Promise<void> {
  await tx.query(sql.unsafe`
    select
      set_config('idle_in_transaction_session_timeout', '2000', true),
      record_changes(${JSON.stringify(origin)}::jsonb, ${operation}, ${JSON.stringify(touched)}::jsonb)
  `);
}
