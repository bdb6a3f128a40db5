import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { isoTimestamp } from '../../timestamps.ts';
import { affectedRows, countRow, idRanges, textRow } from '../statements.ts';
import { containing, isLike, isOf, jsonMentions, type Person } from './person.ts';

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

const emailIn = (json: FragmentSqlToken) => sql.fragment`(${json} ->> 'visitor_email')`;

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
    or ${anyData((json) => (person.pattern === null ? isOf(person, emailIn(json)) : jsonMentions(person, json)))}
  ))`;
}

const trailEnd = z.object({ events: z.int(), webhook_deliveries: z.int(), audit_records: z.int() });

/** A place in the trail: the last rows that were there at some time. */
export type TrailEnd = z.infer<typeof trailEnd>;

/** Returns the place at which the trail ends now. */
export async function selectTrailEnd(db: Database): Promise<TrailEnd> {
  return await db.one(sql.type(trailEnd)`
    select
      (select coalesce(max(id), 0) from events) as events,
      (select coalesce(max(id), 0) from webhook_deliveries) as webhook_deliveries,
      (select coalesce(max(id), 0) from audit_records) as audit_records
  `);
}

const rangesAfter = (db: Database, table: keyof TrailEnd, after: TrailEnd | undefined) =>
  idRanges(db, table, after && sql.fragment`id > ${after[table]}::bigint`);

/**
 * Returns the ids of conversations of a person that are deleted already, as far as the trail knows them: all of it, or what
 * is after a place.
 */
export async function selectDeletedConversationIds(
  db: Database,
  person: Person,
  after?: TrailEnd,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [table, { type, subjectId, data }] of [
    ['events', eventColumns],
    ['audit_records', recordColumns],
  ] as const) {
    const emails = data.map((json) => isOf(person, emailIn(json)));
    for await (const range of rangesAfter(db, table, after)) {
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

/** Replaces what the trail, or its part after a place, has of a person. Returns how many rows had something. */
export async function redactTrail(
  tx: Database,
  person: Person,
  ids: readonly string[],
  after?: TrailEnd,
): Promise<number> {
  const erased = (json: FragmentSqlToken) =>
    sql.fragment`erased_json(${json}, ${person.pattern}, ${fieldArray})`;
  // Most records about a conversation name nobody, such as those of its status.
  const names = (columns: TrailColumns) => {
    const differences = columns.data.map((json) => sql.fragment`${json} is distinct from ${erased(json)}`);
    return sql.fragment`${isAbout(person, ids, columns)} and (${sql.join(differences, sql.fragment` or `)})`;
  };
  let redacted = 0;
  for await (const range of rangesAfter(tx, 'events', after)) {
    redacted += await affectedRows(tx)`
      update events set data = ${erased(sql.fragment`data`)} where ${range} and ${names(eventColumns)}
    `;
  }
  for await (const range of rangesAfter(tx, 'webhook_deliveries', after)) {
    // The answer of the receiver may repeat what it was sent.
    redacted += await affectedRows(tx)`
      update webhook_deliveries set
        payload = jsonb_set(payload::jsonb, '{data,data}', ${erased(payloadData)})::text,
        response_body = null, error = erased_text(error, ${person.pattern})
      where ${range} and case when ${mayName(person, ids)} then ${names(deliveryColumns)} else false end
    `;
  }
  for await (const range of rangesAfter(tx, 'audit_records', after)) {
    redacted += await tx.oneFirst(sql.type(countRow)`
      select redact_audit_records(
        array(select id from audit_records where ${range} and ${names(recordColumns)}),
        ${person.pattern}, ${fieldArray}
      ) as count
    `);
  }
  return redacted;
}

/** Each is compared with the text of every delivery. With more of them, it takes less time to parse the text. */
const maxComparedIds = 20;

/** Matches deliveries that may be about a person by their bare text. Only those are parsed, which takes ten times as long. */
function mayName({ like }: Person, ids: readonly string[]): FragmentSqlToken {
  const payload = sql.fragment`payload`;
  const compared = [...(like === null ? [] : [like]), ...ids.slice(0, maxComparedIds).map(containing)];
  const conditions = compared.map((pattern) => isLike(payload, pattern));
  if (ids.length > maxComparedIds || like === null) {
    conditions.push(sql.fragment`split_part(type, '.', 1) in ('comment', 'conversation')`);
  }
  return sql.fragment`(${isContent(sql.fragment`type`)} and (${sql.join(conditions, sql.fragment` or `)}))`;
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

/**
 * Yields the events and deliveries about a person that no audit record repeats, because it was deleted before them. Each is JSON
 * text like that of a text that contains the address.
 */
export async function* selectUnaudited(
  db: Database,
  person: Person,
  ids: readonly string[],
): AsyncGenerator<readonly string[]> {
  const kinds = [
    ['events', 'data', sql.fragment`id`, isAbout(person, ids, eventColumns)],
    [
      'webhook_deliveries',
      'payload',
      sql.fragment`substring(message_id from '^evt_(\\d{1,18})$')::bigint`,
      sql.fragment`case when ${mayName(person, ids)} then ${isAbout(person, ids, deliveryColumns)} else false end`,
    ],
  ] as const;
  for (const [table, column, eventId, condition] of kinds) {
    const name = sql.identifier([table]);
    const text = sql.fragment`${sql.identifier([column])}::text`;
    for await (const range of idRanges(db, table)) {
      yield await db.anyFirst(sql.type(textRow)`
        select json_build_object(
          'table', ${table}::text, 'id', id, 'texts', json_build_object(${column}::text, ${text})
        )::text as json
        from (select *, ${eventId} as event_id from ${name} where ${range}) as part
        where not exists (select from audit_records where audit_records.id = event_id) and ${condition}
        order by id
      `);
    }
  }
}
