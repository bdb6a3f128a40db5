import type { QuerySqlToken } from 'slonik';
import type { PlainPool } from './plain-pool.ts';
import type { Database } from './pool.ts';
import { statementNames } from './prepared-statements.ts';

/** The values of a row, in the order of its columns. Numbers, booleans and nulls are JavaScript's, and all others texts. */
export type RowValues = readonly unknown[];

/** Runs a statement and returns the values of its rows, not validated. */
export type SelectArrays = (query: QuerySqlToken) => Promise<readonly RowValues[]>;

/** Returns what selects on a database. The statement must not select JSON, which slonik would parse. */
export function arraysOf(db: Database): SelectArrays {
  return async (query) => {
    const rows = await db.any(query);
    return rows.map((row) => Object.values(row as object));
  };
}

const int2 = 21;
const int4 = 23;
const int8 = 20;
const bool = 16;

/** Returns the parser of a type, so that values are as those of slonik. */
const types = {
  getTypeParser(type: number): (text: string) => unknown {
    if (type === int2 || type === int4 || type === int8) return Number;
    return type === bool ? (text) => text === 't' : (text) => text;
  },
};

/**
 * Returns what selects on plain `pg`, at half the cost of slonik. Only prepared statements run there: the few
 * connections are those of the sessions, and a statement that is planned each time may take long.
 *
 * @param db - runs the other statements
 */
export function plainArraysOf(pool: PlainPool, db: Database): SelectArrays {
  const nameOf = statementNames('page');
  const selectElsewhere = arraysOf(db);
  return async (query) => {
    const name = nameOf(query.sql);
    if (name === undefined) return await selectElsewhere(query);
    const { rows } = await pool.query<unknown[]>({
      name,
      text: query.sql.replaceAll('$slonik_', '$'),
      values: [...query.values],
      rowMode: 'array',
      types,
    });
    return rows;
  };
}
