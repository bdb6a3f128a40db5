import type { InfiniteData } from '@tanstack/react-query';
import type { Event } from '../../../src/contract/events/envelope.ts';
import type { Noun } from '../../../src/contract/fields/field.ts';
import { queryClient } from '../app/data/query-client.ts';
import { paced, receivers } from '../app/data/reload.ts';
import type { Filter } from './address.ts';
import type { Definition } from './resource.ts';
import type { AnyRow, Page } from './rows.ts';

/** Changed rows are read again at most this often, and counts with the newest rows that often. */
const rowsPauseMs = 500;
const countsPauseMs = 2_000;
/** How many rows a call reads again, as the API takes at least. Of more, the others follow in the next calls. */
const maxRead = 500;
/** How long their ids may be together, which are in the address of the call. */
const maxAddress = 8_000;

interface Followed<Row extends AnyRow>
  extends Pick<Definition<Row, Filter, never>, 'noun' | 'isWhole' | 'isFixed' | 'changedBy'> {
  byIds(ids: readonly Row['id'][]): Promise<readonly Row[]>;
  reload(): Promise<void>;
}

/**
 * Keeps what is loaded of a noun up to date. Events only say which rows changed: those that are loaded are read again,
 * with the counts. So there is one truth about a row, whatever changed it, and a missed event costs nothing but a read.
 * Rows that are not in view are read once they come into it: many pages with long lists would ask for too much.
 */
export function keepUpToDate<Row extends AnyRow>(followed: Followed<Row>) {
  type Id = Row['id'];
  const { noun, isWhole, isFixed, byIds, reload, changedBy } = followed;
  const listKey = [noun.id, 'rows'];
  let changed = new Set<Id>();
  /** The rows in view, by the table that shows them. */
  const inView = new Map<string, readonly Id[]>();
  /** Whether no table says what is in view, so that all that is loaded counts. */
  let isAllInView = true;
  const readRows = paced(readChanged, rowsPauseMs);
  const readCounts = paced(
    () => queryClient.invalidateQueries({ queryKey: [noun.id, 'count'] }),
    countsPauseMs,
  );
  const isPageOnItsWay = () => queryClient.isFetching({ queryKey: listKey }) > 0;

  const openedIds = (type: 'active' | 'all' = 'active') =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey: [noun.id, 'one'], type })
      .flatMap(({ queryKey: [, , id, below] }) => (below === undefined ? [id as Id] : []));

  function* loadedIds(): Generator<Id> {
    for (const [, list] of queryClient.getQueriesData<InfiniteData<Page<Row>>>({ queryKey: listKey }))
      for (const { rows } of list?.pages ?? []) for (const { id } of rows) yield id;
    yield* openedIds();
  }

  function* changedOnes(ids: Iterable<Id>): Generator<Id> {
    for (const id of ids) if (changed.has(id)) yield id;
  }

  async function readChanged(): Promise<'again' | undefined> {
    // The page may be older than the change, and what is laid into the list meanwhile is lost (TanStack Query issue 3579).
    if (isPageOnItsWay()) return 'again';
    if (isWhole) {
      changed.clear();
      await queryClient.invalidateQueries({ queryKey: [noun.id] });
      return undefined;
    }
    // Rows that were open before, and what belongs to them, are loaded again when they are opened.
    void queryClient.invalidateQueries({
      type: 'inactive',
      refetchType: 'none',
      predicate: ({ queryKey: [key, part, id] }) =>
        key === noun.id && part === 'one' && changed.has(id as Id),
    });
    const followed = isAllInView ? loadedIds() : [...inView.values()].flat().concat(openedIds());
    const wanted = [...new Set(changedOnes(followed))];
    const longest = Math.max(1, ...wanted.slice(0, maxRead).map((id) => String(id).length + 1));
    const ids = wanted.slice(0, Math.min(maxRead, Math.max(1, Math.floor(maxAddress / longest))));
    changed = new Set(changedOnes(loadedIds()));
    for (const id of ids) changed.delete(id);
    try {
      if (ids.length > 0) lay(ids, await byIds(ids));
    } catch (error) {
      for (const id of ids) changed.add(id);
      throw error;
    }
    // What is on its way now has begun before the rows were laid.
    const isOutdated = isPageOnItsWay();
    if (isOutdated) for (const id of ids) changed.add(id);
    return isOutdated || ids.length < wanted.length ? 'again' : undefined;
  }

  /** Puts rows in the places of those with their ids. An id without a row was deleted. */
  function lay(ids: readonly Id[], rows: readonly Row[]): void {
    const now = new Map<Id, Row | undefined>(ids.map((id) => [id, undefined]));
    for (const row of rows) now.set(row.id, row);
    const next = (row: Row): Row =>
      now.has(row.id) ? (now.get(row.id) ?? { ...row, isDeleted: true }) : row;
    queryClient.setQueriesData<InfiniteData<Page<Row>>>(
      { queryKey: listKey },
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) =>
            page.rows.some(({ id }) => now.has(id)) ? { ...page, rows: page.rows.map(next) } : page,
          ),
        },
    );
    for (const id of openedIds().filter((id) => now.has(id))) {
      queryClient.setQueryData([noun.id, 'one', id], now.get(id) ?? null);
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [key, part, of, below] }) =>
          key === noun.id && part === 'one' && of === id && below !== undefined,
      });
    }
  }

  receivers.add((event) => {
    if (event.type === 'example_data.deleted') return void reload();
    const ids = isFixed ? [] : event.type === 'gap' ? 'any' : (changedBy?.(event) ?? changedOf(noun, event));
    if (ids === undefined) return;
    for (const id of ids === 'any' ? [...loadedIds(), ...openedIds('all')] : ids) changed.add(id as Id);
    void readRows();
    void readCounts();
  });

  return {
    /** Reads rows again at once. */
    async refresh(ids: readonly Id[]): Promise<void> {
      for (const id of ids) changed.add(id);
      await Promise.all([readRows(true), readCounts(true)]);
    },
    /** Learns which rows a table shows, until what it returns is called. */
    watch(table: string, ids: readonly Id[]): () => void {
      isAllInView = false;
      inView.set(table, ids);
      if (ids.some((id) => changed.has(id))) void readRows();
      return () => inView.delete(table);
    },
  };
}

/** Returns the ids of the rows that an event of a noun is about: `any` if it does not name them all. */
function changedOf({ event: one, fields }: Noun, { type, subject_id, data }: Event) {
  const [about] = type.split('.');
  if (about === one) return [fields.id?.kind === 'id' ? Number(subject_id) : subject_id];
  if (about !== `${one}s`) return undefined;
  const { ids, count } = data as unknown as { ids: readonly unknown[]; count: number };
  return ids.length < count ? 'any' : ids;
}
