/**
 * What each list can be sorted by, without schemas: importing this file loads nothing else. The first field is the
 * default, highest first.
 */

/** How the values of a field are compared: as times, as texts, or by a rank that the database gives each word. */
export type SortKind = 'time' | 'text' | 'rank';

export type Sorts = Readonly<Record<string, SortKind>>;

/** A field to sort by, lowest first, or with `-` before it highest first. */
export type SortOf<List extends Sorts> = `${'' | '-'}${keyof List & string}`;

/** Severities are ranked from Low to Critical, below them the others. */
export const issueSorts = {
  created_at: 'time',
  updated_at: 'time',
  severity: 'rank',
} as const satisfies Sorts;

export const conversationSorts = { updated_at: 'time', created_at: 'time' } as const satisfies Sorts;

export const scrapingRunSorts = { started_at: 'time' } as const satisfies Sorts;

/** The list of admins is the only one whose default is the lowest first: the contract wants the oldest. */
export const adminSorts = { created_at: 'time', email: 'text', username: 'text' } as const satisfies Sorts;

export const historySorts = { at: 'time' } as const satisfies Sorts;

/** The sorts of the other lists. */
export const creationSorts = { created_at: 'time' } as const satisfies Sorts;

/** Returns the sort of a list without the parameter. */
export function defaultSort<List extends Sorts>(sorts: List): SortOf<List> {
  return `-${Object.keys(sorts)[0]}` as SortOf<List>;
}

/** Returns every sort of a list, the default first. */
export function sortsOf<List extends Sorts>(sorts: List): readonly SortOf<List>[] {
  return Object.keys(sorts).flatMap((field) => [`-${field}`, field] as SortOf<List>[]);
}

/** Returns the field of a sort. */
export function sortField(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : sort;
}
