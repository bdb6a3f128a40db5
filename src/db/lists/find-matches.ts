import { sql } from 'slonik';
import { BackofficeError } from '../../contract/errors.ts';
import { searchTooSlow } from '../../contract/schemas/filters.ts';
import type { Database } from '../connection/database.ts';
import { isTimedOut } from '../connection/errors.ts';
import { filteredAndOrdered } from './filter-scans.ts';
import type { ListQuery } from './list-query.ts';
import type { Search } from './search.ts';

/** How many rows are probed before the index is asked, and more for longer pages. */
const minProbedRows = 2_000;
const probedRowsPerMatch = 5;

/**
 * Finds the rows of a list that match its search. Postgres does not know how frequent a word is, so this tries:
 *
 * 1. The first rows of the list are probed, in order. A frequent word fills the page within milliseconds; the index would
 *    return most of the table.
 * 2. If they are too few, the word is rare. The index returns all matches, which are sorted.
 *
 * Neither costs more in a larger table.
 *
 * @param select - selects rows of a list, at most `maxRows`
 * @returns the rows, and whether the first rows of the list were enough to find them
 */
export async function findMatches<Found extends { readonly length: number }>(
  db: Database,
  query: ListQuery & { readonly search: Search },
  maxRows: number,
  select: (tx: Database, query: ListQuery) => Promise<Found>,
): Promise<{ readonly found: Found; readonly isFrequent: boolean }> {
  return await runSearch(db, query.search, async (tx) => {
    const { probe } = query.search;
    if (probe !== undefined) {
      const startedAt = performance.now();
      const found = await select(tx, firstRows(query, probe, maxRows));
      if (found.length >= maxRows) return { found, isFrequent: true };
      await shortenTimeout(tx, performance.now() - startedAt);
    }
    return { found: await select(tx, query), isFrequent: false };
  });
}

function firstRows(query: ListQuery, probe: Search['condition'], maxRows: number): ListQuery {
  const count = Math.max(minProbedRows, probedRowsPerMatch * maxRows);
  const first = filteredAndOrdered({ ...query, search: undefined }, count);
  const isFirst = sql.fragment`${query.id} = any(array(select ${query.id} ${first}))`;
  return { ...query, filters: [], times: undefined, conditions: [isFirst], search: { condition: probe } };
}

type Limited = Pick<Search, 'q' | 'probe'>;

/** Less than other statements have: a slow search takes the processor from all others. */
const statementTimeoutMs = 4_000;

/**
 * Runs the statements of a search in a transaction with a timeout of its own.
 *
 * @throws BackofficeError if a statement takes too long
 */
export async function runSearch<T>(
  db: Database,
  search: Limited,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await setLimits(tx, search);
      return await work(tx);
    });
  } catch (error) {
    throw isTimedOut(error) ? new BackofficeError(searchTooSlow, { cause: error }) : error;
  }
}

/** Runs a search within a larger transaction, and removes its limits for the statements that follow. */
export async function runSearchWithin<T>(
  tx: Database,
  search: Limited,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const before = await tx.oneFirst(sql.unsafe`
    select json_object_agg(name, current_setting(name))::text
    from unnest(${sql.array(limits, 'text')}) as name
  `);
  const found = await runSearch(tx, search, work);
  await tx.query(sql.unsafe`
    select set_config(key, value, true) from json_each_text(${String(before)}::json)
  `);
  return found;
}

const limits = ['statement_timeout', 'max_parallel_workers_per_gather', 'jit', 'enable_seqscan'];

/**
 * Limits the statements of this transaction. A search has one process, and compiling it takes longer than running it.
 * The index finds any two letters or digits, so there is no reason to read all texts, even if the planner sees one.
 */
async function setLimits(tx: Database, { q, probe }: Limited): Promise<void> {
  const isIndexed = q === undefined ? sql.fragment`true` : sql.fragment`search_text(${q}) ~ '[[:alnum:]]{2}'`;
  const scan =
    probe === undefined ? sql.fragment`'on'` : sql.fragment`case when ${isIndexed} then 'off' else 'on' end`;
  await tx.query(sql.unsafe`
    select
      set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
      set_config('max_parallel_workers_per_gather', '0', true),
      set_config('jit', 'off', true),
      set_config('enable_seqscan', ${scan}, true)
  `);
}

/** Shortens the timeout of the next statement by what another one has taken, if that was long. */
async function shortenTimeout(tx: Database, takenMs: number): Promise<void> {
  if (takenMs < statementTimeoutMs / 4) return;
  const leftMs = Math.max(1, Math.round(statementTimeoutMs - takenMs));
  await tx.query(sql.unsafe`select set_config('statement_timeout', ${String(leftMs)}, true)`);
}
