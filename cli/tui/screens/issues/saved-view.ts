import { z } from 'zod';
import { descendingColumns, type Sort, sortColumns } from './sort.ts';

/** The columns that the list of issues can have, in their order. */
export const columnNames = [
  'id',
  'title',
  'severity',
  'status',
  'category',
  'assignee',
  'created',
  'updated',
] as const;
export type ColumnName = (typeof columnNames)[number];

export const defaultColumns: readonly ColumnName[] = [
  'id',
  'title',
  'severity',
  'status',
  'category',
  'created',
];

const sortNames = sortColumns.flatMap((column) => [column, `-${column}`] as const);

/** A way to look at the issues, as the file of preferences has it. */
export const savedView = z.strictObject({
  /** As typed after `/`. */
  filter: z.string().max(200).optional(),
  /** A column, lowest first, or with `-` before it highest first. */
  sort: z.enum(sortNames).optional(),
  columns: z.array(z.enum(columnNames)).min(1).optional(),
});

export type SavedView = z.infer<typeof savedView>;

/** The names of views are shown in lists and in the line above the issues. */
export const viewName = z
  .string()
  .regex(/^[^\p{C}\s](?:[^\p{C}]{0,28}[^\p{C}\s])?$/u, { error: 'A name has 1 to 30 characters.' });

/** A view with everything decided. */
export interface IssueView {
  readonly name: string;
  readonly filter: string;
  readonly sort: Sort;
  readonly columns: readonly ColumnName[];
}

/** The views that exist without a file, by name. The first one opens first. */
export const builtInViews: Readonly<Record<string, SavedView>> = {
  Unsettled: { filter: 'status:open,inprogress' },
  All: {},
};

/** Returns the order that a file names. */
export function sortOf(name: string): Sort {
  const isDescending = name.startsWith('-');
  const column = sortColumns.find((each) => each === name.replace(/^-/, '')) ?? 'created';
  return { column, isReversed: descendingColumns.includes(column) !== isDescending };
}

/** Returns the name of an order in a file. */
export function sortName({ column, isReversed }: Sort): SavedView['sort'] {
  return descendingColumns.includes(column) === isReversed ? column : `-${column}`;
}

/** Returns a view of a file with what it leaves out. */
export function toIssueView(name: string, { filter = '', sort = '-created', columns }: SavedView): IssueView {
  return { name, filter: filter.trim(), sort: sortOf(sort), columns: columns ?? defaultColumns };
}
