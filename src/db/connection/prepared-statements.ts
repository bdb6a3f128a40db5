import { type Interceptor, sql } from 'slonik';

/** What Postgres plans. Cursors and settings have no plan worth keeping. */
const planned = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Stands before a statement that is to stay unnamed, and so is planned for what is there now: a plan of a table that
 * was small takes minutes for one that has grown by thousands of rows within a moment.
 */
export const unprepared = sql.fragment`/* planned anew */`;

/** The code has some dozens of statements, and one for each combination of a list's filters; beyond this many they stay unnamed. */
const maxStatements = 500;

/**
 * Names each statement after its text, so that a connection parses and plans it once. It takes a pooler that knows
 * prepared statements (PgBouncer from 1.21 on) or none.
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
