import { z } from 'zod';
import { eventDataSchemas } from '../../contract/events/data.ts';
import type { EventType } from '../../contract/vocabulary.ts';
import {
  type ChangedRow,
  maxRecordedLength,
  type RecordedFields,
  type RecordedRow,
} from '../../db/outbox/record-changes.ts';
import { cutText } from '../../shared/text/cut-text.ts';

/** Returns what is recorded of a changed row: see `toRecordedFields`. */
export function toRecordedRow(row: ChangedRow): RecordedRow {
  return { event: row.event, id: row.id, ...toRecordedFields(row) };
}

/** The fields of a changed row, as far as they are known. */
interface KnownFields {
  readonly event: EventType;
  readonly before?: RecordedFields | undefined;
  readonly after?: RecordedFields | undefined;
}

/**
 * Returns what is recorded of the fields of a changed row: long texts are cut.
 *
 * @throws Error if the data of its event is known, and does not match the schema of the type
 */
export function toRecordedFields({ event, before, after }: KnownFields): Omit<KnownFields, 'event'> {
  const recorded = { before: before && truncateFields(before), after: after && truncateFields(after) };
  const data = recorded.after ?? recorded.before;
  const result = data && eventDataSchemas[event].safeParse(data);
  if (result?.success === false) {
    throw new Error(`The data of ${event} does not match its schema: ${z.prettifyError(result.error)}`);
  }
  return recorded;
}

function truncateFields(fields: object): RecordedFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, truncateTexts(value)]));
}

/** Truncates a text, and every text within an array or an object. */
function truncateTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, maxRecordedLength);
  if (Array.isArray(value)) return value.map(truncateTexts);
  return typeof value === 'object' && value !== null ? truncateFields(value) : value;
}
