import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Filter } from './address.ts';
import type { Resource, ShownResource } from './resource.ts';
import type { AnyRow, Page } from './rows.ts';

/** The loaded rows of a list. They stay in their pages: to join 100,000 rows takes longer than a frame. */
export class Rows<Row extends AnyRow> {
  readonly length: number;
  readonly #pages: readonly (readonly Row[])[];

  constructor(pages: readonly Page<Row>[], isShown?: (row: Row) => boolean) {
    this.#pages = pages.map(({ rows }) => (isShown ? rows.filter(isShown) : rows));
    this.length = this.#pages.reduce((sum, rows) => sum + rows.length, 0);
  }

  all(): readonly Row[] {
    return this.#pages.flat();
  }

  at(index: number): Row | undefined {
    let rest = index;
    for (const rows of this.#pages) {
      if (rest < rows.length) return rows[rest];
      rest -= rows.length;
    }
    return undefined;
  }

  indexOf(id: Row['id'] | undefined): number {
    let before = 0;
    for (const rows of this.#pages) {
      const index = rows.findIndex((row) => row.id === id);
      if (index !== -1) return before + index;
      before += rows.length;
    }
    return -1;
  }

  ids(from = 0, to = this.length): Row['id'][] {
    return this.all()
      .slice(from, to)
      .map(({ id }) => id);
  }
}

/** A list as a page shows it. */
export type List<Row extends AnyRow> = ReturnType<typeof useList<Row>>;

/** What a table shows of a list. */
export type ShownList<Row extends AnyRow> = Omit<List<Row>, 'resource' | 'newRows'> & {
  readonly resource: ShownResource<Row>;
};

/** Loads the rows of a filter as one scrolls, and counts them. */
export function useList<Row extends AnyRow>(
  resource: Resource<Row>,
  filter: Filter,
  /** Hides rows of a list that the API answers whole. It must be stable. */
  { isShown }: { readonly isShown?: (row: Row) => boolean } = {},
) {
  const list = useInfiniteQuery(resource.listQuery(filter));
  const count = useQuery(resource.countQuery(filter));
  const rows = useMemo(() => new Rows(list.data?.pages ?? [], isShown), [list.data, isShown]);
  // Another list is shown from its top.
  const name = JSON.stringify(filter);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  return {
    resource,
    filter,
    name,
    rows,
    selection: useSelection(rows, name),
    total: resource.isWhole ? list.data && rows.length : count.data?.total,
    /** How many rows the filter finds that the list lacks, of the newest that are read with the count. */
    newRows: useNewRows(resource, filter, list, rows, count),
    isPending: list.isPending,
    error: rows.length === 0 ? list.error : null,
    retry: () => void list.refetch(),
    /** Why the next page is not there. It is asked for again on demand only. */
    nextError: isFetchNextPageError ? list.error : null,
    loadNext(isAsked = false): void {
      if (hasNextPage && !isFetchingNextPage && (isAsked || !isFetchNextPageError)) void fetchNextPage();
    },
  };
}

/** Loads one row; null if there is none. One that is deleted while it is edited stays, with what is typed: saving it says so. */
export function useRow<Row extends AnyRow>({ oneQuery }: Resource<Row>, id: Row['id'], isEdited: boolean) {
  const { data, error, refetch } = useQuery(oneQuery(id));
  const last = useRef<Row>(undefined);
  useEffect(() => {
    if (data) last.current = data;
  }, [data]);
  const row = data === null && isEdited && last.current?.id === id ? last.current : data;
  return { row, error, retry: () => void refetch() };
}

/** Returns rows that a page has computed as a list, for a table: undefined while they are loaded. */
export function useRows<Row extends AnyRow>(
  resource: ShownResource<Row>,
  rows: readonly Row[] | undefined,
  { error, refetch }: Pick<UseQueryResult, 'error' | 'refetch'>,
): ShownList<Row> {
  const shown = useMemo(() => new Rows([{ rows: rows ?? [] }]), [rows]);
  return {
    resource,
    filter: {},
    name: '',
    rows: shown,
    selection: useSelection(shown, ''),
    total: rows?.length,
    isPending: rows === undefined && error === null,
    error: rows === undefined ? error : null,
    retry: () => void refetch(),
    nextError: null,
    loadNext: () => undefined,
  };
}

/** Counts the rows that are newer than the newest one that there was when the list was loaded. */
function useNewRows<Row extends AnyRow>(
  { newest: field = 'created_at', order = `-${field}` }: Resource<Row>,
  { sort = order }: Filter,
  list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>,
  rows: Rows<Row>,
  count: UseQueryResult<Page<Row>>,
): number {
  const known = useRef<{ readonly of: unknown; readonly at: string }>(undefined);
  const timeOf = (row: Row | undefined) => String(row?.[field as keyof Row] ?? '');
  const { data: counted, isPlaceholderData: isOther } = count;
  const newest = isOther ? [] : (counted?.rows ?? []);
  const loaded = list.data?.pageParams;
  const isLoaded = loaded !== undefined && !list.isPlaceholderData && !list.isFetchingNextPage;
  const isNewestFirst = sort === `-${field}`;
  if (known.current?.of !== loaded && isLoaded && (isNewestFirst || (counted && !isOther)))
    known.current = { of: loaded, at: timeOf(isNewestFirst ? rows.at(0) : newest[0]) };
  const since = known.current?.of === loaded ? known.current?.at : undefined;
  return since === undefined ? 0 : newest.filter((row) => timeOf(row) > since).length;
}

/** Returns which rows are selected, until another list is shown: some, or all that the filter finds, also those not loaded. */
export function useSelection<Row extends AnyRow>(rows: Rows<Row>, name: string) {
  const nothing = { name, ids: new Set<Row['id']>() as ReadonlySet<Row['id']>, isAll: false };
  const [kept, keep] = useState(nothing);
  const anchor = useRef<Row['id']>(undefined);
  // What was selected of another list is not of this one.
  const { ids, isAll } = kept.name === name ? kept : nothing;
  return {
    ids,
    isAll,
    setAll: (isOn: boolean) => keep({ ...nothing, isAll: isOn }),
    /** Selects or deselects a row, or selects all from the last one on. */
    toggle(index: number, isRange: boolean): void {
      const row = rows.at(index);
      if (row === undefined) return;
      const chosen = isAll ? new Set(rows.ids()) : ids;
      const known = rows.indexOf(anchor.current);
      const last = known === -1 ? index : known;
      const range = new Set(rows.ids(Math.min(last, index), Math.max(last, index) + 1));
      const next = isRange ? chosen.union(range) : chosen.symmetricDifference(new Set([row.id]));
      keep({ name, ids: next, isAll: false });
      anchor.current = row.id;
    },
  };
}
