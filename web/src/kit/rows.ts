import type { ReactNode } from 'react';
import type { OperationId } from '../../../src/contract/registry.ts';
import type { Question } from '../form/confirm-dialog.tsx';
import type { Filter } from './address.ts';

/** A row of any noun. One that was deleted since it was loaded stays in its place, so that nothing jumps. */
export interface AnyRow {
  readonly id: string | number;
  readonly created_at?: string;
  readonly isDeleted?: true;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string | undefined;
  readonly total?: number | undefined;
}

/** What a call reads of a list beside its filter. */
export interface Part {
  /** The ids of the rows, separated by commas. */
  readonly id?: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly count?: '1';
}

export interface Column<Row> {
  /** The field of the noun, whose label is the title and whose kind says how it looks. */
  readonly field: string;
  readonly title?: string;
  /** A track of a CSS grid. The kind of the field has one. */
  readonly width?: string;
  /** The place in the two lines of a row on a phone, where others are hidden. The title is the link to the row. */
  readonly phone?: 'title' | 'start' | 'end';
  /** How wide the table must be to show it. */
  readonly from?: 'narrow' | 'medium' | 'wide';
  /** Whether its values are at their end, below each other; counts always are. */
  readonly isNumber?: boolean;
  /** Whether its head sorts the list, as fields of the noun with a sort do. */
  readonly sorts?: boolean;
  readonly cell?: (row: Row) => ReactNode;
}

/** The values of some fields of a row. */
export type Values = Readonly<Record<string, unknown>>;

/** The rows that a change is for. */
export type Target<Row extends AnyRow, F = Filter> =
  | { readonly ids: readonly Row['id'][] }
  | { readonly filter: F; readonly change_id?: number };

export interface Changed {
  readonly changed: number;
  /** The ids of rows that do not exist any more. */
  readonly unknown: readonly unknown[];
  readonly remaining: number;
  /** What undoes it. */
  readonly change_id: number | null;
}

/** Something that can be done with a row, as data: menus, keys and the palette offer it. */
export interface Action<Row> {
  readonly label: string;
  /** The key that does it with the active row. */
  readonly key?: string;
  /** The operation that it calls. */
  readonly needs?: OperationId;
  /** Returns why it cannot be done with a row, or false if the row has no such action. */
  readonly unless?: (row: Row) => string | false | undefined;
  readonly isDangerous?: boolean;
  /** What to ask before. The dialog shows why it failed. */
  readonly ask?: (row: Row) => Omit<Question, 'run'>;
  readonly run: (row: Row) => unknown;
  /** What to say once it is done. */
  readonly done?: (row: Row) => string;
  /** Puts back what it did, while the message is shown. */
  readonly undo?: (row: Row) => Promise<unknown>;
}
