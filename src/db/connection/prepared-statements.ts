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
  const names = new Map<string, string>();
  return {
    name: 'prepared-statements',
    transformQuery(_context, query) {
      const name = names.get(query.sql) ?? nextName(names, query.sql);
      return name === undefined ? query : { ...query, name };
    },
  };
}

function nextName(names: Map<string, string>, text: string): string | undefined {
  if (text.includes(unprepared.sql)) return undefined;
  if (names.size === maxStatements || !planned.test(text)) return undefined;
  const name = `backoffice_${names.size + 1}`;
  names.set(text, name);
  return name;
}
