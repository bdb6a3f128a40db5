import { type FragmentSqlToken, sql } from 'slonik';
import { fieldsWith, type Noun } from '../../contract/fields/field.ts';
import type { Row, RowSchema } from '../../contract/of-noun.ts';
import type { Database } from '../connection/database.ts';
import { shownColumns } from '../lists/list-query.ts';
import { searchShort } from '../lists/search.ts';
import { columnOf, listColumns, tableOf } from './rows.ts';

interface ShortFilter {
  readonly q?: string | undefined;
  readonly limit?: number | undefined;
}

/** Returns what selects the rows of a noun of few rows, which is read whole. */
export function selectShort<N extends Noun>(noun: N, schema: RowSchema<N>, order: FragmentSqlToken) {
  const searched = fieldsWith<Noun, 'search'>(noun, 'search').map(([name, { kind }]) =>
    kind === 'words' ? sql.fragment`array_to_string(${columnOf(noun, name)}, ' ')` : columnOf(noun, name),
  );
  return async (db: Database, { q, limit }: ShortFilter): Promise<readonly Row<N>[]> => {
    const search = searchShort(q, searched);
    return await db.any(sql.type(schema)`
      select ${shownColumns(listColumns(noun))} from ${tableOf(noun)}
      where ${search?.condition ?? sql.fragment`true`}
      order by ${order}
      limit ${limit ?? null}
    `);
  };
}
