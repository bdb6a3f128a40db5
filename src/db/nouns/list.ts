import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import {
  type Field,
  leadingFields,
  type Noun,
  type SortsOf,
  sortsOfNoun,
} from '../../contract/fields/field.ts';
import type { Filters, IdOf } from '../../contract/of-noun.ts';
import { between, equals, equalsText, type ListFilter, type TimeBounds } from '../lists/list-filters.ts';
import { rememberQueries } from '../lists/list-memo.ts';
import type { ListQuery } from '../lists/list-query.ts';
import { type Ordering, orderBy } from '../lists/list-query.ts';
import { type Search, type SearchedTexts, searchIndexed } from '../lists/search.ts';
import type { VersionedTable } from '../lists/table-versions.ts';
import { assigneeColumn, assigneeTables } from '../tables/assignees.ts';
import { type LabelFilter, labelColumn, labelCondition, labelSearch } from '../tables/labels.ts';
import { columnOf, hasId, listColumns, tableOf } from './rows.ts';

/** Selects rows. An absent field matches all. */
export type RowFilter<N extends Noun> = Filters<N> &
  LabelFilter &
  Ordering<SortsOf<N>, IdOf<N>> & {
    /** Null matches none. */
    readonly id?: IdOf<N> | null | undefined;
    /** Words in the searched fields. */
    readonly q?: string | undefined;
    /** Bounds of `created_at`. */
    readonly since?: string | undefined;
    readonly until?: string | undefined;
  };

/** What only the SQL of a noun knows of its list. */
interface Own<N extends Noun> {
  readonly texts: SearchedTexts;
  /** The ranks of the fields that are sorted by rank. */
  readonly ranks?: Readonly<Record<string, FragmentSqlToken>>;
  /** Counts the rows from counters. Returns undefined if they must be counted. */
  readonly totals?: (
    filter: RowFilter<N>,
    conditions: readonly FragmentSqlToken[],
  ) => QuerySqlToken | undefined;
}

interface NounList<N extends Noun> {
  readonly query: (filter: RowFilter<N>) => ListQuery;
  /** Returns the search of a filter, or undefined if it has none. */
  readonly search: (filter: RowFilter<N>) => Search | undefined;
  /** Returns the conditions that select the rows of a filter. */
  readonly conditions: (filter: RowFilter<N>, search?: Search) => (FragmentSqlToken | false)[];
}

/** Returns the list of a noun, which is searched, filtered, sorted and read page by page. Its table has an index for each. */
export function listOf<N extends Noun & { readonly table: VersionedTable }>(
  noun: N,
  own: Own<N>,
): NounList<N> {
  const sorts = sortsOfNoun(noun);
  const column = (name: string) => columnOf(noun, name);
  const columns = listColumns(noun);
  const [rank] = Object.values(own.ranks ?? {});
  const sorted = Object.fromEntries(
    Object.keys(sorts).map((name) => [name, own.ranks?.[name] ?? column(name)]),
  );
  const longTexts = Object.entries(noun.fields).filter(([, { kind }]) => kind === 'text' || kind === 'line');
  const lengths = longTexts.map(([name]) => sql.fragment`octet_length(${column(name)})`);
  const filterFields = leadingFields<Noun, 'filter'>(noun, 'filter').filter(
    ([, { kind }]) => kind !== 'labels',
  );
  const fieldOf = (wanted: Field['kind']) =>
    Object.entries(noun.fields).find(([, { kind }]) => kind === wanted);
  const [[admin] = [], [labels] = []] = [fieldOf('admin'), fieldOf('labels')];

  const filtersOf = (filter: RowFilter<N>): readonly ListFilter[] =>
    filterFields.flatMap(([name, { isOpen }]) => {
      const values = filter[name as keyof RowFilter<N>] as readonly string[] | string | null | undefined;
      if (!isOpen || values === null) return equals(column(name), values);
      const filters = equalsText(column(name), values);
      // The indexes of open sets have no rank.
      return rank === undefined ? filters : filters.map((each) => ({ ...each, unsortedBy: rank }));
    });
  const timesOf = (filter: RowFilter<N>) => between(column('created_at'), filter);
  const searchOf = (filter: RowFilter<N>) => {
    const words = searchIndexed(filter.q, own.texts, column('id'));
    if (words !== undefined || labels === undefined) return words;
    return labelSearch(filter, { table: tableOf(noun), id: column('id'), labels: column(labels) });
  };
  const allOf = (
    filter: RowFilter<N>,
    search: Search | undefined,
    filters: readonly ListFilter[],
    times: TimeBounds,
  ): (FragmentSqlToken | false)[] => [
    filter.id !== undefined && hasId(noun, filter.id),
    ...filters.map(({ condition }) => condition),
    search?.condition ?? false,
    // Without words, the search is for the labels.
    labels !== undefined && filter.q !== undefined && labelCondition(filter, column(labels)),
    ...times.conditions,
  ];

  const query = (filter: RowFilter<N>): ListQuery => {
    const search = searchOf(filter);
    const filters = filtersOf(filter);
    const times = timesOf(filter);
    const conditions = allOf(filter, search, filters, times);
    return {
      columns: {
        ...columns,
        ...(admin === undefined ? {} : assigneeColumn(column(admin), filter)),
        ...(labels === undefined ? {} : labelColumn(column(labels), filter)),
      },
      source: sql.fragment`from ${tableOf(noun)}`,
      tables: [noun.table, ...assigneeTables(filter)],
      conditions,
      filters,
      times,
      search,
      order: orderBy(sorts, sorted as Record<keyof SortsOf<N>, FragmentSqlToken>, filter),
      id: sql.fragment`id`,
      maxTextBytes: sql.fragment`greatest(${sql.join(lengths, sql.fragment`, `)})`,
      totals: own.totals?.(
        filter,
        conditions.filter((condition) => condition !== false),
      ),
    };
  };
  return {
    query: rememberQueries(query),
    search: searchOf,
    conditions: (filter, search = searchOf(filter)) =>
      allOf(filter, search, filtersOf(filter), timesOf(filter)),
  };
}
