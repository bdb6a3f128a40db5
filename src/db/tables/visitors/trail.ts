import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectedRows, countRow, textRow } from '../statements.ts';
import { containing, idRanges, isOf, jsonMentions, type Person } from './person.ts';

// The trail: events, their deliveries to webhooks, and audit records.

/** The fields of recorded changes of conversations, messages and comments that hold what a person is or wrote. */
const personalFields = ['visitor_email', 'visitor_name', 'subject', 'content', 'ai_draft'];

/** What changes are about, in whose records a visitor may be named. Records of accounts are about the team. */
const nouns = [
  'comment',
  'conversation',
  'conversations',
  'issue',
  'issues',
  'link',
  'message',
  'saved_reply',
  'scraping_run',
];

const fieldArray = sql.fragment`${sql.array(personalFields, 'text')}`;
const isContent = (type: FragmentSqlToken) =>
  sql.fragment`split_part(${type}, '.', 1) = any(${sql.array(nouns, 'text')})`;

/** The columns of a row of the trail. */
interface TrailColumns {
  readonly type: FragmentSqlToken;
  readonly subjectId: FragmentSqlToken;
  /** JSON of the row that was changed. */
  readonly data: readonly FragmentSqlToken[];
}

const eventColumns: TrailColumns = {
  type: sql.fragment`type`,
  subjectId: sql.fragment`subject_id`,
  data: [sql.fragment`data`],
};
const recordColumns: TrailColumns = {
  type: sql.fragment`event`,
  subjectId: sql.fragment`subject_id`,
  data: [sql.fragment`before`, sql.fragment`after`],
};
const payloadData = sql.fragment`(payload::jsonb #> '{data,data}')`;
const deliveryColumns: TrailColumns = {
  type: sql.fragment`type`,
  subjectId: sql.fragment`(payload::jsonb #>> '{data,subject_id}')`,
  data: [payloadData],
};

/** Matches rows about conversations of a person, about comments on them, and rows whose texts have the address. */
function isAbout(person: Person, ids: readonly string[], { type, subjectId, data }: TrailColumns) {
  const known = sql.fragment`any(${sql.array([...ids], 'text')})`;
  const anyData = (condition: (json: FragmentSqlToken) => FragmentSqlToken) =>
    sql.fragment`(${sql.join(data.map(condition), sql.fragment` or `)})`;
  return sql.fragment`(${isContent(type)} and (
    case
      when ${type} like 'conversation.%' then ${subjectId} = ${known}
      when ${type} like 'comment.%' then ${anyData((json) => sql.fragment`${json} ->> 'conversation_id' = ${known}`)}
      else false
    end
    or ${anyData((json) => jsonMentions(person, json))}
    or ${anyData((json) => isOf(person, sql.fragment`(${json} ->> 'visitor_email')`))}
  ))`;
}

/** Returns the ids of conversations of a person that are deleted already, as far as the trail knows them. */
export async function selectDeletedConversationIds(db: Database, person: Person): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [table, { type, subjectId, data }] of [
    ['events', eventColumns],
    ['audit_records', recordColumns],
  ] as const) {
    const emails = data.map((json) => isOf(person, sql.fragment`(${json} ->> 'visitor_email')`));
    for await (const range of idRanges(db, table)) {
      const ids = await db.anyFirst(sql.type(textRow)`
        select distinct ${subjectId} as id from ${sql.identifier([table])}
        where ${range} and ${type} in ('conversation.created', 'conversation.deleted')
          and ${subjectId} is not null and (${sql.join(emails, sql.fragment` or `)})
      `);
      for (const id of ids) found.add(id);
    }
  }
  return [...found];
}

const publicationRow = z.object({ is_complete: z.boolean() });

/**
 * Publishes the changes that are committed, and keeps others from being published until the transaction ends. So the
 * trail has all of them: nobody but the owner of the tables may change what waits for its publication.
 */
export async function completeTrail(tx: Database): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('events'))`);
  for (;;) {
    const { is_complete } = await tx.one(sql.type(publicationRow)`select is_complete from publish_changes()`);
    if (is_complete) return;
  }
}

/** Replaces what the trail has of a person. Returns how many rows had something. */
export async function redactTrail(tx: Database, person: Person, ids: readonly string[]): Promise<number> {
  const erased = (json: FragmentSqlToken) =>
    sql.fragment`erased_json(${json}, ${person.pattern}, ${fieldArray})`;
  // Most records about a conversation name nobody, such as those of its status.
  const names = (columns: TrailColumns) => {
    const differences = columns.data.map((json) => sql.fragment`${json} is distinct from ${erased(json)}`);
    return sql.fragment`${isAbout(person, ids, columns)} and (${sql.join(differences, sql.fragment` or `)})`;
  };
  let redacted = 0;
  for await (const range of idRanges(tx, 'events')) {
    redacted += await affectedRows(tx)`
      update events set data = ${erased(sql.fragment`data`)} where ${range} and ${names(eventColumns)}
    `;
  }
  for await (const range of idRanges(tx, 'webhook_deliveries')) {
    // The answer of the receiver may repeat what it was sent.
    redacted += await affectedRows(tx)`
      update webhook_deliveries set
        payload = jsonb_set(payload::jsonb, '{data,data}', ${erased(payloadData)})::text,
        response_body = null, error = erased_text(error, ${person.pattern})
      where ${range} and case when ${mayName(person, ids)} then ${names(deliveryColumns)} else false end
    `;
  }
  for await (const range of idRanges(tx, 'audit_records')) {
    redacted += await tx.oneFirst(sql.type(countRow)`
      select redact_audit_records(
        array(select id from audit_records where ${range} and ${names(recordColumns)}),
        ${person.pattern}, ${fieldArray}
      ) as count
    `);
  }
  return redacted;
}

/** Matches deliveries by their bare text. Only those are parsed, which takes ten times as long. */
function mayName({ email, like }: Person, ids: readonly string[]): FragmentSqlToken {
  const patterns = [like ?? containing(JSON.stringify(email).slice(1, -1)), ...ids.map(containing)];
  return sql.fragment`(${isContent(sql.fragment`type`)} and payload ilike any(${sql.array(patterns, 'text')}))`;
}

/** Yields the audit records about a person, oldest first, each as JSON text. */
export async function* selectAuditAbout(
  db: Database,
  person: Person,
  ids: readonly string[],
): AsyncGenerator<readonly string[]> {
  for await (const range of idRanges(db, 'audit_records')) {
    yield await db.anyFirst(sql.type(textRow)`
      select json_build_object(
        'id', id, 'created_at', ${isoTimestamp(sql.fragment`created_at`)}, 'actor_name', actor_name, 'operation', operation,
        'event', event, 'subject_id', subject_id, 'before', before, 'after', after
      )::text as json
      from audit_records where ${range} and ${isAbout(person, ids, recordColumns)}
      order by id
    `);
  }
}
