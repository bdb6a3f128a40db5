import { sql } from 'slonik';
import type { EventData } from '../../contract/events/envelope.ts';
import type { EventType } from '../../contract/vocabulary.ts';
import type { Database } from '../connection/database.ts';

/** Characters of a text that are recorded: a text may be as long as a request, and each change is stored three times. */
export const maxRecordedLength = 200;

/** The fields of a row that an audit record contains: no secrets, and no values of settings. */
export type RecordedFields = Readonly<Record<string, unknown>>;

/** A change of a row, recorded as an event of that type. */
type ChangeOf<Type extends EventType> = {
  readonly event: Type;
  /** The id of the row. Null if it is not a single row. */
  readonly id: string | number | null;
} & (
  | {
      /** Absent if the row is new. */
      readonly before?: RecordedFields | undefined;
      /** The data of the event. */
      readonly after: EventData<Type>;
    }
  | {
      /** The data of the event, if the row was deleted. */
      readonly before: EventData<Type>;
      readonly after?: undefined;
    }
);

/** A row that a transaction changed. */
export type ChangedRow = { [Type in EventType]: ChangeOf<Type> }[EventType];

/** Who made the change, and from where. */
export interface Origin {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string;
  readonly door: string;
  /** The network address, or empty. */
  readonly address: string;
}

/** What is stored of a changed row, and who changed it. */
export interface RecordedChange {
  readonly origin: Origin;
  readonly operation: string;
  readonly event: EventType;
  readonly id: string | number | null;
  readonly before?: RecordedFields | undefined;
  readonly after?: RecordedFields | undefined;
}

/**
 * Records what a transaction changed: an event and an audit record for each row. Once the transaction is committed, they
 * can be read as soon as a `Publisher` publishes them. Their places are taken now, while the transaction has the rows
 * locked, so that the changes of a row are recorded in their order.
 */
export async function recordChanges(tx: Database, changes: readonly RecordedChange[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into recorded_changes (origin, operation, event, subject_id, before, after)
    select change -> 'origin', change ->> 'operation', change ->> 'event', change ->> 'id',
      change -> 'before', change -> 'after'
    from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) with ordinality as given (change, place)
    order by place
  `);
}
