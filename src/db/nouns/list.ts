import { type FragmentSqlToken, type QuerySqlToken, sql } from 'slonik';
import {
  type Field,
  leadingFields,
  type Noun,
  type SortsOf,
  sortsOfNoun,
} from '../../contract/fields/field.ts';
import type { Filters, IdOf } from '../../contract/of-noun.ts';
import { between, equals, equalsText, type ListFilter } from '../lists/list-filters.ts';
import { rememberQueries } from '../lists/list-memo.ts';
import { conditionsOf, type ListQuery, type Ordering, orderBy } from '../lists/list-query.ts';
import { type SearchedTexts, searchIndexed } from '../lists/search.ts';
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

/**
 * Returns the function that makes the query of a noun's list from a filter. The list is searched, filtered, sorted and read page
 * by page. Its table has an index for each.
 */
export function listOf<N extends Noun & { readonly table: VersionedTable }>(
  noun: N,
  own: Own<N>,
): (filter: RowFilter<N>) => ListQuery {
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
  const searchOf = (filter: RowFilter<N>) => {
    const words = searchIndexed(filter.q, own.texts, column('id'));
    if (words !== undefined || labels === undefined) return words;
    return labelSearch(filter, { table: tableOf(noun), id: column('id'), labels: column(labels) });
  };
  return rememberQueries((filter: RowFilter<N>): ListQuery => {
    const selection = {
      filters: filtersOf(filter),
      times: between(column('created_at'), filter),
      search: searchOf(filter),
      conditions: [
        filter.id !== undefined && hasId(noun, filter.id),
        // Without words, the search is for the labels.
        labels !== undefined && filter.q !== undefined && labelCondition(filter, column(labels)),
      ],
    };
    return {
      columns: {
        ...columns,
        ...(admin === undefined ? {} : assigneeColumn(column(admin), filter)),
        ...(labels === undefined ? {} : labelColumn(column(labels), filter)),
      },
      source: sql.fragment`from ${tableOf(noun)}`,
      tables: [noun.table, ...assigneeTables(filter)],
      ...selection,
      order: orderBy(sorts, sorted as Record<keyof SortsOf<N>, FragmentSqlToken>, filter),
      id: sql.fragment`id`,
      maxTextBytes: sql.fragment`greatest(${sql.join(lengths, sql.fragment`, `)})`,
      totals: own.totals?.(filter, conditionsOf(selection)),
    };
  });
}
