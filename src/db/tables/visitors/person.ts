import { type FragmentSqlToken, sql } from 'slonik';
import { fieldsWith, type Noun } from '../../../contract/fields/field.ts';
import { issues } from '../../../contract/fields/issues.ts';
import { savedReplies } from '../../../contract/fields/saved-replies.ts';
import { columnOfText, textOfColumn } from '../../changes/change-tables.ts';
import type { Database } from '../../connection/database.ts';
import { affectedRows, textRow } from '../statements.ts';

/** A visitor, as far as we know one: an e-mail address. Case and spaces around it don't matter. */
export interface Person {
  readonly email: string;
  /** Matches texts that contain the address, and more. Null for what is no address: then no text is searched for it. */
  readonly like: string | null;
  /** The regular expression of the address within a text: not of a longer address that ends or starts like it. */
  readonly pattern: string | null;
}

/** An address with characters on both sides of its @. */
const addressForm = /^[^\s@]+@[^\s@]+$/;
/** Separators in percent-encoding: all of ASCII but letters, digits and what addresses have: `'+-._@`. */
const encodedSeparator = '%(?:[01][0-9a-f]|2[0-689acf]|3[a-f]|5[b-e]|60|7[b-f])';
/** What must not be before the address: a longer address would end with it. What separates texts may be, as in `?email=`. */
const notBefore = `(?:(?<=${encodedSeparator})|(?<![[:alnum:]]|[[:alnum:]][._'+-]+))`;
const notAfter = '(?![[:alnum:]-]|\\.[[:alnum:]])';

/** Returns the person with an e-mail address. */
export function personWith(email: string): Person {
  const trimmed = email.trim();
  if (!addressForm.test(trimmed)) return { email: trimmed, like: null, pattern: null };
  const characters = [...trimmed];
  return {
    email: trimmed,
    like: `%${characters.map((character) => (isEncoded(character) ? '%' : escapeLike(character))).join('')}%`,
    pattern: `${notBefore}${characters.map(plainOrEncoded).join('')}${notAfter}`,
  };
}

/** Reports whether URLs have a character in percent-encoding. */
function isEncoded(character: string): boolean {
  return encodeURIComponent(character) !== character;
}

/** Returns the regular expression of a character as texts and as URLs have it. */
function plainOrEncoded(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  return isEncoded(character) ? `(?:${literal}|${encodeURIComponent(character)})` : literal;
}

/** Returns the LIKE pattern of the texts that contain a text. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** Matches rows whose e-mail column is that of the person. */
export function isOf({ email }: Person, column: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`lower(btrim(${column})) = lower(${email})`;
}

/** Matches texts that contain the address. */
export function mentions({ like, pattern }: Person, text: FragmentSqlToken): FragmentSqlToken {
  return like === null || pattern === null
    ? sql.fragment`false`
    : sql.fragment`(${text} ilike ${like} and ${text} ~* ${pattern})`;
}

/** Matches JSON whose texts contain the address. What stands for a line break in it is no letter before the address. */
export function jsonMentions({ like, pattern }: Person, json: FragmentSqlToken): FragmentSqlToken {
  return like === null || pattern === null
    ? sql.fragment`false`
    : sql.fragment`(
        ${json}::text ilike ${like}
        and regexp_replace(${json}::text, '\\\\([bfnrt]|u[0-9a-f]{4})', ' ', 'g') ~* ${pattern}
      )`;
}

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

/** Yields conditions that together match every row of a table with a numeric id, a part of them each. */
export async function* idRanges(db: Database, table: string): AsyncGenerator<FragmentSqlToken> {
  let from = sql.fragment`true`;
  for (;;) {
    const end = await db.maybeOneFirst(sql.type(textRow)`
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
export async function redactMentions(tx: Database, person: Person, { table, columns }: WrittenTexts) {
  if (person.pattern === null) return 0;
  const name = sql.identifier([table]);
  const assignments = columns.map((column) => {
    const text = sql.fragment`erased_text(${textOf(column)}, ${person.pattern})`;
    return sql.fragment`${sql.identifier([column])} = ${columnOfText(column, text)}`;
  });
  let redacted = 0;
  for await (const range of idRanges(tx, table)) {
    redacted += await affectedRows(tx)`
      with found as materialized (
        select id from ${name} where ${range} and ${mentionsIn(person, columns)} order by id for no key update
      )
      update ${name} set ${sql.join(assignments, sql.fragment`, `)}
      where id in (select id from found)
    `;
  }
  return redacted;
}

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
    yield await db.anyFirst(sql.type(textRow)`
      select json_build_object(
        'table', ${table}::text, 'id', id, 'texts', json_build_object(${sql.join(fields, sql.fragment`, `)})
      )::text as json
      from ${sql.identifier([table])}
      where ${range} and ${mentionsIn(person, columns)}
        and not ${belongsTo(table, conversationIds)}
      order by id
    `);
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
