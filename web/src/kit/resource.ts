import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query';
import type { Event } from '../../../src/contract/events/envelope.ts';
import type { Noun } from '../../../src/contract/fields/field.ts';
import { queryClient } from '../app/data/query-client.ts';
import type { Suggestions } from '../form/field.tsx';
import { boundsOf, type Filter } from './address.ts';
import { keepUpToDate } from './live.ts';
import type { AnyRow, Changed, Column, Page, Part, Target, Values } from './rows.ts';

/** What a noun is on the pages. Each call of the API is typed where it is written. */
export interface Definition<Row extends AnyRow, F extends Filter, Change> {
  readonly noun: Noun;
  readonly columns: readonly Column<Row>[];
  /** Whether the API answers the list whole. */
  readonly isWhole?: true;
  /** The field whose latest values make a row new; by default `created_at`. */
  readonly newest?: string;
  /** The sort of the list without another one; by default the newest first. */
  readonly order?: string;
  /** Whether its rows never change, so that only what is new is read again. */
  readonly isFixed?: true;
  /** Whether the API lists those of a period. */
  readonly hasPeriod?: true;
  /** The words in use of fields whose words are people's own, by field. Labels have theirs. */
  readonly suggest?: Readonly<Record<string, Suggestions>>;
  read(filter: F, part: Part, signal?: AbortSignal): Promise<Page<Row>>;
  /** Sets fields of one row if `expected` is still what it has. Resolves with what undoes it, if that is kept. */
  update?(id: Row['id'], set: Change, expected: Change): Promise<number | null | undefined>;
  updateMany?(target: Target<Row, F>, set: Change): Promise<Changed>;
  /** Whether the API changes rows by their ids only, and by no filter. */
  readonly isChangedByIds?: true;
  /** Deletes up to 1,000 rows. Resolves with how many there were. */
  remove?(ids: readonly Row['id'][]): Promise<number>;
  /** Returns the ids of the rows that an event of another noun changes, or `any`; undefined for none. */
  changedBy?(event: Event): readonly unknown[] | 'any' | undefined;
}

/** What a table shows of a noun. */
export interface ShownResource<Row extends AnyRow>
  extends Pick<Definition<Row, Filter, never>, 'columns' | 'newest' | 'order'>,
    Pick<Resource<Row>, 'refresh'>,
    Partial<Pick<Resource<Row>, 'watch'>> {
  readonly noun: Pick<Noun, 'one' | 'many' | 'fields'>;
}

/** Declares rows that a page computes, by the columns of their table. */
export function computed<Row extends AnyRow>(
  one: string,
  many: string,
  columns: readonly Column<Row>[],
): ShownResource<Row> {
  return { noun: { one, many, fields: {} }, columns, refresh: () => Promise.resolve() };
}

/** A noun as the pages see it: its columns, its calls, its queries, and what is read again when it changes. */
export type Resource<Row extends AnyRow, Change = Values> = Definition<Row, Filter, Change> &
  ReturnType<typeof queriesOf<Row>> &
  ReturnType<typeof keepUpToDate<Row>> & {
    /** Loads the lists again from their start, with what is new. They stay on the screen until then. */
    reload(): Promise<void>;
  };

/** Rows that one call loads; and how many of the newest are read with the count, to say how many are new. */
const pageSize = 500;
const newestSize = 50;

/** Declares a noun for the pages, and keeps what they load of it up to date from then on. */
export function resource<Row extends AnyRow, F extends Filter = Filter, Change = Values>(
  given: Definition<Row, F, Change>,
): Resource<Row, Change> {
  const { read } = given as Definition<Row, Filter, Change>;
  const definition: Definition<Row, Filter, Change> = {
    ...(given as Definition<Row, Filter, Change>),
    // The service gets moments in place of relative texts.
    read: (filter, ...rest) => read({ ...filter, ...boundsOf(filter) }, ...rest),
  };
  const queries = queriesOf(definition);
  const key = definition.noun.id;
  async function reload(): Promise<void> {
    queryClient.setQueriesData<InfiniteData<Page<Row>>>(
      { queryKey: [key, 'rows'] },
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
    );
    await queryClient.invalidateQueries({ queryKey: [key] });
  }
  const live = keepUpToDate<Row>({ ...definition, byIds: queries.byIds, reload });
  return { ...definition, ...queries, ...live, reload };
}

function queriesOf<Row extends AnyRow>(definition: Definition<Row, Filter, never>) {
  const { noun, read, isWhole, newest = 'created_at', order } = definition;
  const key = noun.id;
  const newestFirst = order === undefined ? {} : { sort: `-${newest}` };
  const byIds = async (ids: readonly Row['id'][], signal?: AbortSignal): Promise<readonly Row[]> => {
    const { rows } = await read({}, { id: ids.join(','), limit: ids.length }, signal);
    return rows.filter(({ id }) => ids.includes(id));
  };
  return {
    byIds,

    /** The rows of a filter, page by page. A loaded list is never loaded again by itself: its rows are. */
    listQuery: (filter: Filter) =>
      infiniteQueryOptions({
        queryKey: [key, 'rows', filter],
        initialPageParam: undefined as string | undefined,
        queryFn: ({ pageParam: cursor, signal }) => read(filter, { limit: pageSize, cursor }, signal),
        getNextPageParam: ({ next }) => next,
        placeholderData: keepPreviousData,
        // Comparing all rows that are loaded with those before would hold up the scrolling at each page.
        ...(!isWhole && { staleTime: Number.POSITIVE_INFINITY, structuralSharing: false }),
      }),

    /** How many rows a filter finds, and the newest of them. */
    countQuery: ({ sort: _sort, ...filter }: Filter, limit = newestSize) =>
      queryOptions({
        queryKey: [key, 'count', filter, limit],
        queryFn: ({ signal }) => read({ ...filter, ...newestFirst }, { limit, count: '1' }, signal),
        placeholderData: keepPreviousData,
        enabled: !isWhole,
      }),

    /** One row; null if there is none. What belongs to it is below its key. */
    oneQuery: (id: Row['id']) =>
      queryOptions<Row | null>({
        queryKey: [key, 'one', id],
        queryFn: async ({ signal }) => (await byIds([id], signal))[0] ?? null,
        placeholderData: (() => loadedRow<Row>(key, id)) as () => undefined,
      }),
  };
}

function loadedRow<Row extends AnyRow>(key: string, id: Row['id']): Row | undefined {
  return queryClient
    .getQueriesData<InfiniteData<Page<Row>>>({ queryKey: [key, 'rows'] })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap(({ rows }) => rows.find((row) => row.id === id) ?? [])[0];
}
