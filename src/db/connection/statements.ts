import { sql } from 'slonik';

/** Statements that Postgres plans. Cursors and settings have no plan worth keeping. */
const planned = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Marks a statement that is not prepared, so that Postgres plans it each time. A plan made while a table was small can
 * take minutes after the table has grown by thousands of rows.
 */
export const unprepared = sql.fragment`/* not prepared */`;

/**
 * The code has dozens of statements, and one for each combination of a list's filters. Any beyond this number are not
 * prepared.
 */
const maxStatements = 500;

/** Returns the name of a text, or undefined for a statement that is not prepared. */
export type NameOf = (text: string) => string | undefined;

/** Returns a function that names each text, so that a connection parses and plans it once. */
export function statementNames(): NameOf {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size === maxStatements || !planned.test(text) || text.includes(unprepared.sql))
      return undefined;
    const name = `backoffice_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

/** The statement by which a transaction lifts the timeouts of the pool, which are made for requests. */
export const liftTimeouts = sql.unsafe`
  select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)
`;

const maxTextLength = 2_000;

/** Returns the span of a statement. Its text has placeholders in place of the values. */
export function statementSpan(text: string) {
  const statement = text.replace(/\s+/g, ' ').trim();
  const [verb = ''] = statement.split(' ', 1);
  return {
    name: `postgresql ${verb.toLowerCase()}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, maxTextLength) },
  } as const;
}

/** The span of work on one connection, such as a transaction. It includes the wait for the connection. */
export function connectionSpan(kind: string) {
  return {
    name: `postgresql ${kind}`,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql' },
  } as const;
}
