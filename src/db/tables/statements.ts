import { type FragmentSqlToken, sql, type ValueExpression } from 'slonik';
import { z } from 'zod';
import type { Database } from '../connection/database.ts';

/** The row of a statement that selects a single text, whatever its name. */
export const textRow = z.record(z.string(), z.string());

/** The row of a statement that selects a single integer. */
export const numberRow = z.record(z.string(), z.int());

/** The row of a statement that counts. */
export const countRow = z.object({ count: z.int() });

/** Returns a tag of a statement: it runs it, and returns how many rows it finds, locks or changes. */
export const affectedRows =
  (db: Database) =>
  async (parts: TemplateStringsArray, ...values: readonly ValueExpression[]): Promise<number> =>
    (await db.query(sql.unsafe(parts, ...values))).rowCount;

/** Returns a tag of a statement: it runs it, and reports whether it finds, locks or changes a row. */
export const affectsRow =
  (db: Database) =>
  async (...statement: Parameters<ReturnType<typeof affectedRows>>): Promise<boolean> =>
    (await affectedRows(db)(...statement)) > 0;

/** Returns values as rows of a table `given`, for `from`, with these columns and their types in Postgres. */
export function givenRows<Row>(
  rows: readonly Row[],
  types: { readonly [Column in keyof Row]?: string },
): FragmentSqlToken {
  const columns = Object.keys(types) as (keyof Row & string)[];
  const values = rows.map((row) => columns.map((column) => row[column] as string | number | boolean | null));
  const names = sql.join(
    columns.map((column) => sql.identifier([column])),
    sql.fragment`, `,
  );
  return sql.fragment`${sql.unnest(values, Object.values(types) as string[])} as given (${names})`;
}

/** Rows that one statement looks at, so that it ends in time however large the table is. */
const rangeLength = 40_000;

/**
 * Yields conditions that together match every row of a table, a part of them each, in the order of their ids.
 *
 * @param from - a condition on the ids, if only rows after some id are wanted
 */
export async function* idRanges(
  db: Database,
  table: string,
  from: FragmentSqlToken = sql.fragment`true`,
  idColumn = 'id',
): AsyncGenerator<FragmentSqlToken> {
  const id = sql.identifier([idColumn]);
  // A conversation has a text as its id.
  const type = table === 'conversations' ? sql.fragment`text` : sql.fragment`bigint`;
  for (let start = from; ; ) {
    const end = await db.maybeOneFirst(sql.type(textRow)`
      select ${id}::text as id from ${sql.identifier([table])} where ${start} order by ${sql.identifier([table, idColumn])}
      offset ${rangeLength} limit 1
    `);
    if (end === null) {
      yield start;
      return;
    }
    yield sql.fragment`${start} and ${id} < ${end}::${type}`;
    start = sql.fragment`${id} >= ${end}::${type}`;
  }
}

/**
 * Keeps `updated_at` as it is until the transaction ends, or until it is switched off: what follows is no change of a
 * row.
 */
export async function keepUpdatedAt(tx: Database, keep = true): Promise<void> {
  await tx.query(sql.unsafe`select set_config('backoffice.keep_updated_at', ${keep ? 'on' : 'off'}, true)`);
}
