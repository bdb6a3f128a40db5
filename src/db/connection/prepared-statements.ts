import { type Interceptor, sql } from 'slonik';

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

/**
 * Prepares each statement once per connection, under a name for its text, so that it is parsed and planned once.
 */
export function preparedStatements(): Interceptor {
  const nameOf = statementNames('backoffice');
  return {
    name: 'prepared-statements',
    transformQuery(_context, query) {
      const name = nameOf(query.sql);
      return name === undefined ? query : { ...query, name };
    },
  };
}

/** Returns a function that names each text. It returns undefined for a statement that is not prepared. */
export function statementNames(prefix: string): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (text.includes(unprepared.sql)) return undefined;
    if (names.size === maxStatements || !planned.test(text)) return undefined;
    const name = `${prefix}_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}
