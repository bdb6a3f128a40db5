import { type FragmentSqlToken, sql } from 'slonik';
import type { EventData } from '../../contract/events/data.ts';
import type { EventType } from '../../contract/vocabulary.ts';
import { maxRecordedLength, type Origin, type RecordedFields } from './record-changes.ts';

/** SQL for the fields of a row that only the database knows, by their names. `recordedText` cuts long texts. */
type Columns<Fields extends PropertyKey = string> = Readonly<Record<Fields, FragmentSqlToken>>;

interface ChangedColumns {
  /** The id of the changed row. */
  readonly id: FragmentSqlToken;
  /** What the row was before, if only the database knows. */
  readonly before?: Columns;
  /** Whether the row is new, if only the database knows. Then there is nothing before. */
  readonly isNew?: FragmentSqlToken;
}

/**
 * Returns the common table expression that records a changed row, in the statement that changes it. The statement has an
 * expression `changed`: one row if something has changed, else none. The SQL of the columns refers to it.
 */
export type RecordChanged = (columns: ChangedColumns) => FragmentSqlToken;

/** Does the same for a deleted row, whose fields are the data of its event. */
export type RecordDeleted<Type extends EventType> = (
  columns: ChangedColumns & { readonly before: Columns<keyof EventData<Type>> },
) => FragmentSqlToken;

/**
 * Does the same for the rows that a statement inserts. Its expression `changed` has one row for each of them, with its
 * `place` among them, from 1.
 */
export type RecordInserted = (columns: { readonly id: FragmentSqlToken }) => FragmentSqlToken;

/** What a statement records, as far as it is known before the statement runs. */
export interface StatementRecord {
  readonly origin: Origin;
  readonly operation: string;
  readonly event: EventType;
  readonly before?: RecordedFields | undefined;
  readonly after?: RecordedFields | undefined;
}

/** Cuts a text as `cutText` does. */
export function recordedText(text: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`
    case when char_length(${text}) > ${maxRecordedLength}
      then left(${text}, ${maxRecordedLength}) || '…' else ${text} end
  `;
}

/**
 * Returns the expression `recorded`: the row's place in the outbox (see the migration of `recorded_changes`). It takes
 * its id after `changed` has locked the row, so that the changes of a row are recorded in their order.
 */
export function recordInStatement(record: StatementRecord): RecordChanged {
  const { origin, operation, event, before, after } = record;
  return (columns) => {
    const old =
      columns.before === undefined ? sql.fragment`${textOf(before)}::jsonb` : jsonOf(columns.before);
    return sql.fragment`
    recorded as (
      insert into recorded_changes (origin, operation, event, subject_id, before, after)
      select
        ${textOf(origin)}::jsonb, ${operation}, ${event}, (${columns.id})::text,
        ${columns.isNew === undefined ? old : sql.fragment`case when not ${columns.isNew} then ${old} end`},
        ${textOf(after)}::jsonb
      from changed
    )
  `;
  };
}

/** Returns the expression `recorded` for rows that are inserted together, in their order. */
export function recordInserted(records: readonly StatementRecord[]): RecordInserted {
  const texts = (of: (record: StatementRecord) => string | null) => sql.array(records.map(of), 'text');
  return ({ id }) => sql.fragment`
    recorded as (
      insert into recorded_changes (origin, operation, event, subject_id, after)
      select origin::jsonb, operation, event, (${id})::text, after::jsonb
      from changed
      join unnest(
        ${texts(({ origin }) => textOf(origin))}, ${texts(({ operation }) => operation)},
        ${texts(({ event }) => event)}, ${texts(({ after }) => textOf(after))}
      ) with ordinality as record (origin, operation, event, after, place) using (place)
      order by place
    )
  `;
}

const textOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

function jsonOf(columns: Columns): FragmentSqlToken {
  const fields = Object.entries(columns).map(
    ([name, column]) => sql.fragment`${sql.literalValue(name)}, ${column}`,
  );
  return sql.fragment`jsonb_build_object(${sql.join(fields, sql.fragment`, `)})`;
}
