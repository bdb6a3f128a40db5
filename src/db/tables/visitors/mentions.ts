import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { fieldsWith, type Noun } from '../../../contract/fields/field.ts';
import { issues } from '../../../contract/fields/issues.ts';
import { savedReplies } from '../../../contract/fields/saved-replies.ts';
import { columnOfText, textOfColumn } from '../../changes/change-tables.ts';
import type { Database } from '../../connection/database.ts';
import { mentions, type Person } from './person.ts';

/** Texts that people write, in which somebody may have noted the address of a visitor. */
export interface WrittenTexts {
  readonly table: string;
  readonly columns: readonly string[];
}

const writtenIn = (noun: Noun): WrittenTexts => ({
  table: noun.table,
  columns: fieldsWith(noun, 'personal').map(([name]) => name),
});

const textOf = (column: string): FragmentSqlToken =>
  textOfColumn(column, sql.fragment`${sql.identifier([column])}`);

/** The tables whose rows are locked before those of conversations. */
export const textsBeforeConversations: readonly WrittenTexts[] = [
  writtenIn(issues),
  { table: 'issue_history', columns: ['before', 'after'] },
];

export const textsAfterConversations: readonly WrittenTexts[] = [
  { table: 'conversation_messages', columns: ['content', 'ai_draft'] },
  { table: 'comments', columns: ['content'] },
  writtenIn(savedReplies),
  { table: 'scraping_errors', columns: ['url', 'message'] },
];

/** Rows that one statement looks at, so that it ends in time however large the table is. */
const rangeLength = 40_000;

const idRow = z.object({ id: z.string() });

/** Yields conditions that together match every row of a table with a numeric id, a part of them each. */
export async function* idRanges(db: Database, table: string): AsyncGenerator<FragmentSqlToken> {
  let from = sql.fragment`true`;
  for (;;) {
    const end = await db.maybeOneFirst(sql.type(idRow)`
      select id::text as id from ${sql.identifier([table])} where ${from} order by ${sql.identifier([table, 'id'])}
      offset ${rangeLength} limit 1
    `);
    if (end === null) {
      yield from;
      return;
    }
    yield sql.fragment`${from} and id < ${end}::bigint`;
    from = sql.fragment`id >= ${end}::bigint`;
  }
}

/** Replaces the address in texts. Returns how many rows had it. */
export async function redactMentions(
  tx: Database,
  person: Person,
  { table, columns }: WrittenTexts,
): Promise<number> {
  if (person.pattern === null) return 0;
  const name = sql.identifier([table]);
  const assignments = columns.map((column) => {
    const text = sql.fragment`erased_text(${textOf(column)}, ${person.pattern})`;
    return sql.fragment`${sql.identifier([column])} = ${columnOfText(column, text)}`;
  });
  let redacted = 0;
  for await (const range of idRanges(tx, table)) {
    const { rowCount } = await tx.query(sql.unsafe`
      with found as materialized (
        select id from ${name} where ${range} and ${mentionsIn(person, columns)} order by id for no key update
      )
      update ${name} set ${sql.join(assignments, sql.fragment`, `)}
      where id in (select id from found)
    `);
    redacted += rowCount;
  }
  return redacted;
}

const jsonRow = z.object({ json: z.string() });

/**
 * Yields the rows whose texts contain the address, each as JSON text: table, id and texts. Leaves out what belongs to the
 * given conversations.
 */
export async function* selectMentions(
  db: Database,
  person: Person,
  { table, columns }: WrittenTexts,
  conversationIds: readonly string[],
): AsyncGenerator<readonly string[]> {
  if (person.pattern === null) return;
  const fields = columns.map((column) => sql.fragment`${sql.literalValue(column)}, ${textOf(column)}`);
  for await (const range of idRanges(db, table)) {
    const rows = await db.any(sql.type(jsonRow)`
      select json_build_object(
        'table', ${table}::text, 'id', id, 'texts', json_build_object(${sql.join(fields, sql.fragment`, `)})
      )::text as json
      from ${sql.identifier([table])}
      where ${range} and ${mentionsIn(person, columns)}
        and not ${belongsTo(table, conversationIds)}
      order by id
    `);
    yield rows.map(({ json }) => json);
  }
}

function belongsTo(table: string, conversationIds: readonly string[]): FragmentSqlToken {
  return table === 'conversation_messages' || table === 'comments'
    ? sql.fragment`coalesce(conversation_id = any(${sql.array([...conversationIds], 'text')}), false)`
    : sql.fragment`false`;
}

function mentionsIn(person: Person, columns: readonly string[]): FragmentSqlToken {
  const conditions = columns.map((column) => mentions(person, textOf(column)));
  return sql.fragment`(${sql.join(conditions, sql.fragment` or `)})`;
}
