import { z } from 'zod';
import type { DocumentedError } from '../../contract/errors.ts';
import { eventDataSchemas } from '../../contract/events/data.ts';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/registry.ts';
import type { BackgroundChange } from '../../contract/vocabulary.ts';
import { type Database, databaseBy, type Pool } from '../../db/connection/database.ts';
import { isUniqueViolation } from '../../db/connection/errors.ts';
import {
  auditedFields,
  type ChangedRow,
  maxAuditedLength,
  maxRecordedLength,
  type RecordedChange,
  type RecordedFields,
  recordChanges,
} from '../../db/outbox/record-changes.ts';
import { cutText } from '../../shared/text.ts';
import type { Actor } from './actor.ts';
import { refuse } from './refuse.ts';

/** Collects changed rows. They are recorded when the work is done. */
export type RecordChange = (...rows: readonly ChangedRow[]) => void;

/**
 * Changes data: runs the work in a transaction and records the rows that it changed, as events and as audit records of
 * the actor. Work that calls `refuse` changes nothing: the transaction is rolled back, then the error is thrown.
 *
 * @param as - the recorded actor if it is not the caller: at sign-in nobody is signed in yet
 */
export type Change = <T>(work: (tx: Database, record: RecordChange) => Promise<T>, as?: Actor) => Promise<T>;

/** An operation, or work in the background, that changes data. */
export type ChangingOperation = Pick<Operation<OperationId | BackgroundChange>, 'id' | 'changes'>;

/** Refuses work that violates a unique constraint: another row has the value. */
export async function unlessTaken<T>(
  work: Promise<T>,
  constraint: string,
  taken: DocumentedError,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, constraint)) refuse(taken);
    throw error;
  }
}

/** What a change needs to know of its call. A command has no address and no deadline. */
export interface CallOfChange {
  readonly address?: string;
  /** Aborts when the caller has received a timeout error. Nothing is changed after that. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the `change` of one call of an operation. A call whose signal has aborted changes nothing, and runs no further
 * statement. If `db` is a transaction, a change that fails rolls back to a savepoint.
 */
export function changesOf(
  db: Database & Partial<Pick<Pool, 'onRecorded'>>,
  actor: Actor,
  operation: ChangingOperation,
  call: CallOfChange = {},
): Change {
  return async (work, as = actor) => {
    let recorded = 0;
    const result = await db.transaction(async (opened) => {
      call.signal?.throwIfAborted();
      const tx = databaseBy((run) => {
        call.signal?.throwIfAborted();
        return run(opened);
      });
      const changes: RecordedChange[] = [];
      const done = await work(tx, (...rows) => {
        changes.push(...rows.map((row) => toRecordedChange(row, as, operation, call)));
      });
      if (changes.length > 0) await recordChanges(tx, changes);
      call.signal?.throwIfAborted();
      recorded = changes.length;
      return done;
    });
    if (recorded > 0) db.onRecorded?.();
    return result;
  };
}

/**
 * Returns what is recorded of a changed row: who changed it, and its fields, with long texts cut. Throws if the
 * operation does not declare the event, or the data does not match its schema.
 */
export function toRecordedChange(
  { event, id, before, after }: ChangedRow,
  { kind, id: actorId, name, door, isUntraced }: Actor,
  { id: operation, changes }: ChangingOperation,
  { address = '' }: CallOfChange,
): RecordedChange {
  if (!changes?.includes(event)) throw new Error(`${operation} does not declare ${event}.`);
  const fields = { before: before && cutTexts(before), after: after && cutTexts(after) };
  const result = eventDataSchemas[event].safeParse(withoutAudited(fields.after ?? fields.before ?? {}));
  if (!result.success) {
    throw new Error(`The data of ${event} does not match its schema: ${z.prettifyError(result.error)}`);
  }
  const origin = { kind, id: actorId, name, door, address: isUntraced ? '' : address };
  return { origin, operation, event, id, ...fields };
}

/** Returns what the event of a change says. */
function withoutAudited(fields: RecordedFields): RecordedFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !auditedFields.includes(name)));
}

function cutTexts(fields: RecordedFields): RecordedFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      cutTextsIn(value, auditedFields.includes(name) ? maxAuditedLength : maxRecordedLength),
    ]),
  );
}

/** Cuts a text, and every text within an array or an object. */
function cutTextsIn(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return cutText(value, maxLength);
  if (Array.isArray(value)) return value.map((item) => cutTextsIn(item, maxLength));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, cutTextsIn(field, maxLength)]),
  );
}
