import type { Access } from '../../../access/access.ts';
import type { ActionId } from '../../keys/actions.ts';

/** What a change sets on rows. */
export interface RowValues {
  readonly status?: string;
  readonly assignee_id?: string | null;
  readonly read?: true;
}

/** A change of rows, in words too. */
export interface RowChange<Row> {
  readonly set: RowValues;
  /** What the user saw of a single row, which must still be so. Of several, they see the number. */
  readonly expected?: RowValues | undefined;
  /** The values that it sets, as the log shows them. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** What it does, in the imperative: `Set 12 issues to Closed`. */
  readonly order: (rows: string) => string;
  /** The same while it happens: `Setting 12 issues to Closed`. */
  readonly progress: (rows: string) => string;
  /** What the rows are afterwards: `now Closed`. */
  readonly result: string;
  /** Returns the row as it is afterwards, if the list shows that. */
  readonly apply?: (row: Row) => Row;
}

/** What a call of a change has done. */
export interface SentChange {
  /** The rows that do not exist. */
  readonly unknown: readonly (string | number)[];
  /** The number under which it can be undone. */
  readonly change_id: number | null;
}

/** What rows are called, and the call that changes them. */
export interface RowKind<Row, Key extends string | number> {
  readonly noun: string;
  readonly operation: 'issues.update' | 'conversations.update';
  /** The action that undoes the last change. */
  readonly undo: ActionId;
  keyOf(row: Row): Key;
  /** Returns what a row is called within a sentence: `#7`, `the conversation with Ada Byron`. */
  nameOf(row: Row): string;
  /** Returns what a row is called in a title, if that is longer. */
  titleOf?(row: Row): string;
  /** Changes rows by one call. */
  send(
    call: Access['call'],
    keys: readonly Key[],
    change: Pick<RowChange<Row>, 'set' | 'expected'>,
  ): Promise<SentChange>;
}
