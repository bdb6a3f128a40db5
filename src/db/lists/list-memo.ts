import { type QuerySqlToken, sql } from 'slonik';
import { atMost, shareNext } from '../../shared/waiting.ts';
import type { ListQuery } from './list-query.ts';
import type { Page } from './select-page.ts';

/** How long the texts of all remembered lists are together, and how long one may be. */
const maxCharacters = 4 * 1024 * 1024;
const maxListCharacters = 768 * 1024;
/** A list that nobody has read for so long is forgotten: its rows may have been deleted since. */
const maxIdleMs = 60_000;
/** A request waits no longer for rows that another request reads: that one may wait for something else. */
const maxSharedMs = 100;

/** Rows that were found, with the version of the tables that they were read from. */
type Found = Pick<Page, 'version' | 'parts'>;

/** A list that was asked for. Its rows are remembered from the second time on: most pages are read only once. */
interface Remembered {
  readonly found: Found | undefined;
  readonly characters: number;
  /** By `performance.now`. */
  readonly readAt: number;
}

/** The first value of a statement that reads rows whatever their version. No table has this version. */
export const noVersion = '';

/**
 * Makes a subquery a step of its own, whose condition Postgres checks once, before it reads a row. Otherwise the planner
 * would make the condition one of the join, and read the rows first.
 */
export const asStep = sql.fragment`offset 0`;

/**
 * Remembers the pages and short lists that are read again and again. The first value of a statement that reads such a list
 * is the version that is remembered: if the tables still have it, the statement reads no row. So each answer is as new
 * as it would be without the memo.
 */
export class ListMemo {
  /** By their statements and values, least recently read first. */
  readonly #lists = new Map<string, Remembered>();
  /** The lists that are being read, with the requests that wait for them. */
  readonly #readings = new Map<
    string,
    { readonly next: ReturnType<typeof shareNext<Found>>; requests: number }
  >();
  #characters = 0;

  /**
   * Returns what a statement finds. The same statement with the same values must always be read in the same way.
   *
   * While a list is read, all further requests for it share the next read. It begins after they have arrived, so it finds
   * what was committed before. The first of them reads, because an earlier one may be gone. If the shared read fails or
   * takes too long, each request reads for itself.
   */
  async find<Rows extends Found>(
    statement: QuerySqlToken,
    read: (statement: QuerySqlToken) => Promise<Rows>,
  ): Promise<Rows> {
    const key = `${JSON.stringify(statement.values)} ${statement.sql}`;
    const readNow = () => this.#find(key, statement, read);
    const reading = this.#readings.get(key) ?? { next: shareNext<Found>(readNow), requests: 0 };
    this.#readings.set(key, reading);
    const isFirst = reading.requests++ === 0;
    try {
      const rows = reading.next(readNow);
      if (isFirst) return (await rows) as Rows;
      const shared = atMost(maxSharedMs, rows).catch(() => undefined);
      return ((await shared) as Rows | undefined) ?? (await readNow());
    } finally {
      if (--reading.requests === 0) this.#readings.delete(key);
    }
  }

  async #find<Rows extends Found>(
    key: string,
    statement: QuerySqlToken,
    read: (statement: QuerySqlToken) => Promise<Rows>,
  ): Promise<Rows> {
    const known = this.#lists.get(key)?.found as Rows | undefined;
    const values = [known?.version ?? noVersion, ...statement.values.slice(1)];
    const current = await read({ ...statement, values });
    const found = known?.version === current.version ? known : current;
    this.#remember(key, found);
    return found;
  }

  #remember(key: string, found: Found): void {
    const isKept = this.#forget(key) && charactersOf(found) <= maxListCharacters;
    const characters = key.length + (isKept ? charactersOf(found) : 0);
    const readAt = performance.now();
    this.#lists.set(key, { found: isKept ? found : undefined, characters, readAt });
    this.#characters += characters;
    for (const [oldest, { readAt: lastReadAt }] of this.#lists) {
      if (this.#characters <= maxCharacters && readAt - lastReadAt <= maxIdleMs) return;
      this.#forget(oldest);
    }
  }

  /** Reports whether the list was asked for before. */
  #forget(key: string): boolean {
    const remembered = this.#lists.get(key);
    if (remembered === undefined) return false;
    this.#lists.delete(key);
    this.#characters -= remembered.characters;
    return true;
  }
}

function charactersOf({ parts }: Found): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

/** Most requests for lists have one of a few filters. */
const maxQueries = 100;
const maxKeyCharacters = 500;

/**
 * Returns a function that makes the query of a list from its filter, and returns the same object for the same filter, so
 * that what is made of a query is made once.
 */
export function rememberQueries<Filter>(
  makeQuery: (filter: Filter) => ListQuery,
): (filter: Filter) => ListQuery {
  const queries = new Map<string, ListQuery>();
  return (filter) => {
    const key = JSON.stringify(filter);
    const known = queries.get(key);
    if (known !== undefined) return known;
    const query = makeQuery(filter);
    if (key.length > maxKeyCharacters) return query;
    if (queries.size === maxQueries) queries.clear();
    queries.set(key, query);
    return query;
  };
}
