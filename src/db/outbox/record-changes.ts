import { sql } from 'slonik';
import { z } from 'zod';
import type { EventType } from '../../contract/event-types.ts';
import type { EventData } from '../../contract/events/envelope.ts';
import type { Database } from '../connection/database.ts';

/** Characters of a text that are recorded: a text may be as long as a request, and each change is stored three times. */
export const maxRecordedLength = 200;

/**
 * Fields that only the audit record of a change has, and not its event: the values of settings. Their texts are longer: the
 * prices of some models are more than 200 characters.
 */
export const auditedFields: readonly string[] = ['value', 'values'];
export const maxAuditedLength = 2_000;

type Audited<Type extends EventType> = Type extends `setting${string}`
  ? { readonly value?: string; readonly values?: Readonly<Record<string, string>> }
  : unknown;

/** The fields of a row that an audit record contains: no secrets. */
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
      readonly after: EventData<Type> & Audited<Type>;
    }
  | {
      /** The data of the event, if the row was deleted. */
      readonly before: EventData<Type> & Audited<Type>;
      readonly after?: undefined;
    }
);

/** A row that a transaction changed. */
export type ChangedRow = { [Type in EventType]: ChangeOf<Type> }[EventType];

/** What is stored of a changed row, and who changed it. */
export interface RecordedChange {
  readonly origin: {
    readonly kind: string;
    readonly id: string | null;
    readonly name: string;
    readonly door: string;
    /** The network address, or empty. */
    readonly address: string;
  };
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

const publicationRow = z.object({
  changes: z.int(),
  oldest_seconds: z.number(),
  last_event_id: z.int(),
});

/** How far the publication of changes is. */
export type PublicationState = z.infer<typeof publicationRow>;

/**
 * Returns how many changes were recorded at least some seconds ago and are not published, the age of the oldest, and the id of
 * the latest event.
 */
export async function selectPublicationState(db: Database, seconds = 0): Promise<PublicationState> {
  return await db.one(sql.type(publicationRow)`
    select
      count(*) as changes,
      coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest_seconds,
      (select coalesce(max(id), 0) from events) as last_event_id
    from recorded_changes
    where created_at <= clock_timestamp() - make_interval(secs => ${seconds})
  `);
}
