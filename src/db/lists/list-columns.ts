import { type FragmentSqlToken, sql } from 'slonik';
import { completeTimestamp, isoTimestamp, shortTimestamp } from '../timestamps.ts';

/**
 * A column of a list: a text, a number or a boolean as it is, a time that is shown as ISO 8601, or a JSON value. Postgres
 * formats them for whole lists, and this process for pages (`docs/decisions/0004-lists-as-text.md`).
 */
export type ListColumn =
  | FragmentSqlToken
  | { readonly time: FragmentSqlToken }
  | { readonly json: FragmentSqlToken };

/** The columns by their names, in the order in which they are shown. */
export type ListColumns = Readonly<Record<string, ListColumn>>;

/** Returns columns that are shown as they are, under their own names. */
export function plainColumns<Name extends string>(
  names: readonly Name[],
  table?: string,
): Record<Name, FragmentSqlToken> {
  const prefix = table === undefined ? [] : [table];
  const entries = names.map((name) => [name, sql.fragment`${sql.identifier([...prefix, name])}`]);
  return Object.fromEntries(entries);
}

/** Returns the columns as a select shows them, with their names. */
export function shownColumns(columns: ListColumns): FragmentSqlToken {
  return sql.fragment`${sql.join(
    Object.entries(columns).map(
      ([name, column]) => sql.fragment`${shownValue(column)} as ${sql.identifier([name])}`,
    ),
    sql.fragment`, `,
  )}`;
}

function shownValue(column: ListColumn): FragmentSqlToken {
  if ('time' in column) return isoTimestamp(column.time);
  return 'json' in column ? column.json : column;
}

/** Returns the value of a column in the form that costs Postgres least, for `joinRows`. */
export function storedValue(column: ListColumn): FragmentSqlToken {
  if ('time' in column) return shortTimestamp(column.time, isoTimestamp);
  return 'json' in column ? sql.fragment`(${column.json})::text` : column;
}

/**
 * Makes the JSON texts of rows, joined by commas, of their stored values: what `rowAsJson` makes in Postgres.
 *
 * @param first - where the values of the columns begin in a row
 */
export function joinRows(columns: ListColumns, rows: readonly (readonly unknown[])[], first: number): string {
  const fields = Object.entries(columns).map(([name, column], index) => ({
    start: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    toJson: toJsonOf(column),
  }));
  let text = '';
  for (const values of rows) {
    if (text !== '') text += ',';
    for (let index = 0; index < fields.length; index++) {
      const { start, toJson } = fields[index] as (typeof fields)[number];
      const value = values[first + index];
      text += start + (value === null ? 'null' : toJson(value));
    }
    text += '}';
  }
  return text;
}

function toJsonOf(column: ListColumn): (value: unknown) => string {
  if ('time' in column) return (value) => `"${completeTimestamp(value as string, 3)}"`;
  return 'json' in column ? String : JSON.stringify;
}
