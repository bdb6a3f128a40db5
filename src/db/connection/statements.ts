import { sql } from 'slonik';

/** Statements that Postgres plans. Cursors and settings have no plan worth keeping. */
const planned = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Marks a statement that is not prepared, so that Postgres plans it each time. A plan made while a table was small can
 * take minutes after the table has grown by thousands of rows.
 */
export const unprepared = sql.fragment`/* not prepared */`;

/** The code has dozens, and one for each combination of a list's filters. Those beyond this number are not prepared. */
const maxStatements = 500;

/**
 * Returns a function that names each text, so that a connection parses and plans it once. It returns undefined for a
 * statement that is not prepared.
 */
export function statementNames(): (text: string) => string | undefined {
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

/** The span of work in the database. That of a transaction or a connection includes the wait for the connection. */
export const spanOf = (work: string, attributes = {}) => ({
  name: `postgresql ${work}`,
  kind: 'client' as const,
  attributes: { 'db.system.name': 'postgresql', ...attributes },
});

/** The span of a statement. Its text has placeholders in place of the values. */
export function statementSpan(text: string) {
  const statement = text.replace(/\s+/g, ' ').trim();
  const [verb = ''] = statement.split(' ', 1);
  return spanOf(verb.toLowerCase(), { 'db.query.text': statement.slice(0, maxTextLength) });
}
