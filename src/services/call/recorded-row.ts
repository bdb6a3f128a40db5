import { z } from 'zod';
import { eventDataSchemas } from '../../contract/events/data.ts';
import type { ChangedRow, RecordedFields, RecordedRow } from '../../db/outbox/record-changes.ts';
import { cutText } from '../../shared/cut-text.ts';

/** Characters of a text that are recorded: a text may be as long as a request, and each change is stored three times. */
const maxTextLength = 200;

/**
 * Returns what is recorded of a changed row: long texts are cut.
 *
 * @throws Error if the data of its event does not match the schema of the type
 */
export function toRecordedRow({ event, id, before, after }: ChangedRow): RecordedRow {
  const row = { event, id, before: before && truncateFields(before), after: after && truncateFields(after) };
  const result = eventDataSchemas[event].safeParse(row.after ?? row.before);
  if (!result.success) {
    throw new Error(`The data of ${event} does not match its schema: ${z.prettifyError(result.error)}`);
  }
  return row;
}

function truncateFields(fields: object): RecordedFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, truncateTexts(value)]));
}

/** Truncates a text, and every text within an array or an object. */
function truncateTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, maxTextLength);
  if (Array.isArray(value)) return value.map(truncateTexts);
  return typeof value === 'object' && value !== null ? truncateFields(value) : value;
}
