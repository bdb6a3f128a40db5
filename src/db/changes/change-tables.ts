import { type FragmentSqlToken, sql } from 'slonik';

/** What changes are made to. */
export type ChangedNoun = 'issues' | 'conversations';

interface ChangeTables {
  readonly rows: FragmentSqlToken;
  readonly history: FragmentSqlToken;
  /** The column of the history with the id of the row. */
  readonly rowId: FragmentSqlToken;
}

/** The tables of what changes are made to. */
export const changeTables: Readonly<Record<ChangedNoun, ChangeTables>> = {
  issues: {
    rows: sql.fragment`issues`,
    history: sql.fragment`issue_history`,
    rowId: sql.fragment`issue_id`,
  },
  conversations: {
    rows: sql.fragment`conversations`,
    history: sql.fragment`conversation_history`,
    rowId: sql.fragment`conversation_id`,
  },
};
