import { type FragmentSqlToken, sql } from 'slonik';
import { fieldsWith, type Noun } from '../../../contract/fields/field.ts';
import { issues } from '../../../contract/fields/issues.ts';
import { savedReplies } from '../../../contract/fields/saved-replies.ts';
import { columnOfText, textOfColumn } from '../../changes/change-tables.ts';
import type { Database } from '../../connection/database.ts';
import { affectedRows, idRanges, textRow } from '../statements.ts';
import { mentions, type Person } from './person.ts';

/** Texts in which somebody, or a program, may have written the address of a visitor. */
export interface WrittenTexts {
  readonly table: string;
  readonly columns: readonly string[];
  /** The primary key; by default `id`. */
  readonly id?: string;
}

const writtenIn = (noun: Noun): WrittenTexts => ({
  table: noun.table,
  columns: fieldsWith(noun, 'personal').map(([name]) => name),
});

export const labelTexts: WrittenTexts = { table: 'labels', columns: ['name'] };

export const viewTexts: WrittenTexts = { table: 'saved_views', columns: ['name', 'filter'] };

/** The tables whose rows are locked before those of conversations. */
export const textsBeforeConversations: readonly WrittenTexts[] = [
  writtenIn(issues),
  { table: 'issue_history', columns: ['before', 'after'] },
];

/** Of conversations of others. Those of the visitor are exported and deleted with everything. */
export const conversationTexts: WrittenTexts = {
  table: 'conversations',
  columns: ['visitor_name', 'subject', 'labels', 'page'],
};

export const textsAfterConversations: readonly WrittenTexts[] = [
  { table: 'conversation_history', columns: ['before', 'after'] },
  { table: 'conversation_messages', columns: ['content', 'ai_draft'] },
  // A mail server may name the address that a visitor had before.
  { table: 'message_deliveries', columns: ['error'], id: 'message_id' },
  // Its original is deleted if one of these words is the address.
  { table: 'received_mails', columns: ['addresses', 'mail_id'] },
  { table: 'comments', columns: ['content'] },
  writtenIn(savedReplies),
  { table: 'scraping_errors', columns: ['url', 'message'] },
  // A receiver may answer with what it was sent. The trail has the payload.
  { table: 'webhook_deliveries', columns: ['response_body', 'error'] },
];

/** All that is exported, and erased. */
export const writtenTexts: readonly WrittenTexts[] = [
  labelTexts,
  viewTexts,
  ...textsBeforeConversations,
  conversationTexts,
  ...textsAfterConversations,
];

const textOf = (column: string): FragmentSqlToken =>
  textOfColumn(column, sql.fragment`${sql.identifier([column])}`);

/** Replaces the address in texts. Returns how many rows had it. */
export async function redactMentions(tx: Database, person: Person, texts: WrittenTexts): Promise<number> {
  if (person.pattern === null) return 0;
  const name = sql.identifier([texts.table]);
  const id = sql.identifier([texts.id ?? 'id']);
  let redacted = 0;
  for await (const range of idRanges(tx, texts.table, undefined, texts.id)) {
    redacted += await affectedRows(tx)`
      with found as materialized (
        select ${id} from ${name} where ${range} and ${isMentionedIn(person, texts)} order by ${id} for no key update
      )
      update ${name} set ${redactionOf(person, texts)}
      where ${id} in (select ${id} from found)
    `;
  }
  return redacted;
}

/** Returns the assignments that replace the address in texts. */
export function redactionOf({ pattern }: Person, { columns }: WrittenTexts): FragmentSqlToken {
  const assignments = columns.map((column) => {
    const text = sql.fragment`erased_text(${textOf(column)}, ${pattern})`;
    return sql.fragment`${sql.identifier([column])} = ${columnOfText(column, text)}`;
  });
  return sql.fragment`${sql.join(assignments, sql.fragment`, `)}`;
}

/**
 * Yields the rows whose texts contain the address, each as JSON text: table, id and texts. Leaves out what belongs to the
 * given conversations.
 */
export async function* selectMentions(
  db: Database,
  person: Person,
  texts: WrittenTexts,
  conversationIds: readonly string[],
): AsyncGenerator<readonly string[]> {
  if (person.pattern === null) return;
  const { table, columns } = texts;
  const id = sql.identifier([texts.id ?? 'id']);
  const fields = columns.map((column) => sql.fragment`${sql.literalValue(column)}, ${textOf(column)}`);
  for await (const range of idRanges(db, table, undefined, texts.id)) {
    yield await db.anyFirst(sql.type(textRow)`
      select json_build_object(
        'table', ${table}::text, 'id', ${id}, 'texts', json_build_object(${sql.join(fields, sql.fragment`, `)})
      )::text as json
      from ${sql.identifier([table])}
      where ${range} and ${isMentionedIn(person, texts)}
        and not ${belongsTo(table, conversationIds)}
      order by ${id}
    `);
  }
}

/** The tables with rows of conversations, and their columns with the id of one. */
const conversationColumns: Readonly<Record<string, string>> = {
  conversations: 'id',
  conversation_history: 'conversation_id',
  conversation_messages: 'conversation_id',
  comments: 'conversation_id',
};
/** Those of rows that belong to a message. */
const ofMessages = ['message_deliveries', 'received_mails'];

function belongsTo(table: string, conversationIds: readonly string[]): FragmentSqlToken {
  const ids = sql.fragment`any(${sql.array([...conversationIds], 'text')})`;
  if (ofMessages.includes(table))
    return sql.fragment`message_id in (select m.id from conversation_messages m where m.conversation_id = ${ids})`;
  const column = conversationColumns[table];
  return column === undefined
    ? sql.fragment`false`
    : sql.fragment`coalesce(${sql.identifier([column])} = ${ids}, false)`;
}

/** Matches rows of which a text contains the address. */
export function isMentionedIn(person: Person, { columns }: WrittenTexts): FragmentSqlToken {
  const conditions = columns.map((column) => {
    const condition = mentions(person, textOf(column));
    // Few rows have labels, and their text takes longer than the search in it.
    return column === 'labels' ? sql.fragment`(labels <> '{}' and ${condition})` : condition;
  });
  return sql.fragment`(${sql.join(conditions, sql.fragment` or `)})`;
}
