import { z } from 'zod';
import type { Sort, Sorting } from './sorting.ts';

/** A way to look at a list, as the file of preferences has it. */
export interface SavedView {
  readonly filter?: string | undefined;
  readonly sort?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** A view with everything decided. */
export interface View {
  readonly name: string;
  readonly filter: string;
  readonly sort: Sort;
  readonly columns: readonly string[];
}

/** What can be decided about a list, and where the file of preferences keeps it. */
export interface ViewKind {
  /** What the rows are called: `issues`. */
  readonly rows: string;
  /** The columns that the list can have, in their order. Without any, a view decides only about the filter. */
  readonly columns: readonly string[];
  readonly defaultColumns: readonly string[];
  readonly sorting: Pick<Sorting<never>, 'names' | 'named' | 'nameOf' | 'start'>;
  /** The views that exist without a file, by name. The first one opens first. */
  readonly builtIn: Readonly<Record<string, SavedView>>;
  /** The names of the preferences. */
  readonly stored: {
    readonly views: 'views' | 'conversationViews' | 'auditViews';
    readonly first: 'defaultView' | 'defaultConversationView' | 'defaultAuditView';
  };
}

/** A filter as typed after `/`. */
export const viewFilter = z.string().max(200).optional();

/** Returns what the file of preferences may hold about a view. */
export function savedViewSchema({ columns, sorting }: Pick<ViewKind, 'columns' | 'sorting'>) {
  return z.strictObject({
    filter: viewFilter,
    /** A column, lowest first, or with `-` before it highest first. */
    sort: z.enum(sorting.names).optional(),
    columns: z.array(z.enum(columns)).min(1).optional(),
  });
}

/** The names of views are shown in lists and in the line above them. */
export const viewName = z
  .string()
  .regex(/^[^\p{C}\s](?:[^\p{C}]{0,28}[^\p{C}\s])?$/u, { error: 'A name has 1 to 30 characters.' });

/** Returns a view of a file with what it leaves out. */
export function toView(
  { sorting, defaultColumns }: ViewKind,
  name: string,
  { filter = '', sort, columns = defaultColumns }: SavedView,
): View {
  return {
    name,
    filter: filter.trim(),
    sort: sort === undefined ? sorting.start : sorting.named(sort),
    columns,
  };
}

/** Returns a view as the file of preferences has it. */
export function toSavedView({ sorting, columns: all }: ViewKind, { filter, sort, columns }: View): SavedView {
  return all.length === 0 ? { filter } : { filter, sort: sorting.nameOf(sort), columns: [...columns] };
}
