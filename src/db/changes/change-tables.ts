import { type FragmentSqlToken, sql } from 'slonik';

/** What changes are made to. */
export type ChangedNoun = 'issues' | 'conversations';

/** The id of a row of such a noun. */
export type RowId = string | number;

interface ChangeTables {
  readonly rows: FragmentSqlToken;
  readonly history: FragmentSqlToken;
  /** The column of the history with the id of the row. */
  readonly rowId: FragmentSqlToken;
  readonly idType: 'int8' | 'text';
  /** Returns what else a change of a column sets, or undefined. */
  readonly touch: (name: string, value: FragmentSqlToken) => FragmentSqlToken | undefined;
}

/** The tables of what changes are made to. */
export const changeTables: Readonly<Record<ChangedNoun, ChangeTables>> = {
  issues: {
    rows: sql.fragment`issues`,
    history: sql.fragment`issue_history`,
    rowId: sql.fragment`issue_id`,
    idType: 'int8',
    touch: () => sql.fragment`updated_at = now()`,
  },
  conversations: {
    rows: sql.fragment`conversations`,
    history: sql.fragment`conversation_history`,
    rowId: sql.fragment`conversation_id`,
    idType: 'text',
    // Only another status moves a conversation to the top of the list. Not now(): the start of the transaction may be
    // before a message that arrived since.
    touch: (name, value) =>
      name === 'status'
        ? sql.fragment`updated_at = case
            when conversations.status is distinct from ${value} then clock_timestamp() else conversations.updated_at
          end`
        : undefined,
  },
};

/** Returns the assignments of a change of columns, with the new value of each. */
export function assignmentsOfChange(
  noun: ChangedNoun,
  columns: readonly (readonly [name: string, value: FragmentSqlToken])[],
): FragmentSqlToken {
  const { touch } = changeTables[noun];
  const assignments = columns.map(([name, value]) => sql.fragment`${sql.identifier([name])} = ${value}`);
  const [touched] = columns.map(([name, value]) => touch(name, value)).filter((set) => set !== undefined);
  return sql.fragment`${sql.join(touched === undefined ? assignments : [...assignments, touched], sql.fragment`, `)}`;
}

/** Returns the value of a column as the history keeps it. */
export const textOfColumn = (name: string, value: FragmentSqlToken): FragmentSqlToken =>
  name === 'labels' ? sql.fragment`labels_text(${value})` : sql.fragment`${value}::text`;

/** Returns the value of a column from a text of the history. */
export const columnOfText = (name: string, text: FragmentSqlToken): FragmentSqlToken =>
  name === 'labels' ? sql.fragment`labels_of(${text})` : text;
