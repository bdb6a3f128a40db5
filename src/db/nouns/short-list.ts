import { type FragmentSqlToken, sql } from 'slonik';
import { fieldsWith, type Noun } from '../../contract/fields/field.ts';
import { type Row, rowOf } from '../../contract/of-noun.ts';
import type { Database } from '../connection/database.ts';
import { shownColumns } from '../lists/list-query.ts';
import { searchShort } from '../lists/search.ts';
import { columnOf, listColumns, tableOf } from './rows.ts';

/** The list of a noun of few rows, which is answered whole. */
export interface ShortList<N extends Noun> {
  readonly noun: N;
  readonly select: (db: Database, filter: ShortFilter) => Promise<readonly Row<N>[]>;
  /** The constraint that keeps its key unique. */
  readonly unique?: string;
}

interface ShortFilter {
  readonly q?: string | undefined;
  readonly limit?: number | undefined;
}

/** Returns the list of a noun of few rows, which is read whole. */
export function shortListOf<N extends Noun>(
  noun: N,
  { order, ...own }: { readonly order: FragmentSqlToken; readonly unique?: string },
): ShortList<N> {
  const schema = rowOf(noun);
  const searched = fieldsWith<Noun, 'search'>(noun, 'search').map(([name, { kind }]) =>
    kind === 'words' ? sql.fragment`array_to_string(${columnOf(noun, name)}, ' ')` : columnOf(noun, name),
  );
  return {
    noun,
    ...own,
    async select(db, { q, limit }) {
      const search = searchShort(q, searched);
      return await db.any(sql.type(schema)`
        select ${shownColumns(listColumns(noun))} from ${tableOf(noun)}
        where ${search?.condition ?? sql.fragment`true`}
        order by ${order}
        limit ${limit ?? null}
      `);
    },
  };
}

/**
 * Makes other changes of the rows of a noun wait until this transaction ends. Otherwise two rows that take each other's
 * key would deadlock on the unique index.
 */
export async function lockNoun(tx: Database, { many }: Noun): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext(${many}))`);
}

/** Reports whether there are at least that many rows. */
export async function hasRows(db: Database, noun: Noun, count: number): Promise<boolean> {
  return await db.exists(sql.unsafe`select from ${tableOf(noun)} offset ${count - 1} limit 1`);
}
