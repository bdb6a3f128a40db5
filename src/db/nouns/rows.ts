import { type FragmentSqlToken, type ListSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { type Field, fieldsWith, type Noun } from '../../contract/fields/field.ts';
import {
  type Changes,
  type IdOf,
  isOnDemand,
  type NewRow,
  type StoredRow,
  storedFields,
  storedRowOf,
} from '../../contract/of-noun.ts';
import type { Database } from '../connection/database.ts';
import { type ListColumns, shownColumns } from '../lists/list-query.ts';

const idRow = z.object({ id: z.union([z.int(), z.string()]) });

/** Returns the table of a noun, for `from`. */
export const tableOf = ({ table }: Noun): FragmentSqlToken => sql.fragment`${sql.identifier([table])}`;

/** Returns a column with its table, for statements with joins. */
export const columnOf = ({ table }: Noun, name: string): FragmentSqlToken =>
  sql.fragment`${sql.identifier([table, name])}`;

const bare = (name: string): FragmentSqlToken => sql.fragment`${sql.identifier([name])}`;
const listed = (parts: readonly FragmentSqlToken[]): ListSqlToken => sql.join(parts, sql.fragment`, `);

/** Returns the columns that the table of a noun has, without its secrets. */
function storedColumns(noun: Noun): ListColumns {
  return columnsOfFields(noun, storedFields(noun));
}

/** Returns the columns of a list: those that the table has, without its secrets and what lists include on demand. */
export function listColumns(noun: Noun): ListColumns {
  return columnsOfFields(
    noun,
    storedFields(noun).filter(([, field]) => !isOnDemand(field)),
  );
}

function columnsOfFields(noun: Noun, fields: ReturnType<typeof storedFields>): ListColumns {
  return Object.fromEntries(
    fields.map(([name, { kind }]) => {
      const column = columnOf(noun, name);
      return [name, kind === 'time' ? { time: column } : column];
    }),
  );
}

/** Returns the condition that a row has the id. No row has null. */
export function hasId(noun: Noun, id: string | number | null): FragmentSqlToken {
  const column = columnOf(noun, 'id');
  return noun.fields.id?.kind === 'textId'
    ? sql.fragment`${column} = ${id}`
    : sql.fragment`${column} = ${id}::bigint`;
}

/** Returns the row with the id, or null, and locks it until the transaction ends. */
export async function lockRow<N extends Noun>(
  tx: Database,
  noun: N,
  id: IdOf<N> | null,
): Promise<StoredRow<N> | null> {
  return await tx.maybeOne(sql.type(storedRowOf(noun))`
    select ${shownColumns(storedColumns(noun))} from ${tableOf(noun)} where ${hasId(noun, id)} for no key update
  `);
}

/** Returns a value as a statement takes it. */
const given = (value: unknown): FragmentSqlToken =>
  Array.isArray(value)
    ? sql.fragment`${sql.array(value as string[], 'text')}`
    : sql.fragment`${value as string | number | null}`;

const entriesOf = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined);

/** Inserts a row and returns its id. */
export async function insertRow<N extends Noun>(tx: Database, noun: N, row: NewRow<N>): Promise<IdOf<N>> {
  const values = entriesOf(row);
  const id = await tx.oneFirst(sql.type(idRow)`
    insert into ${tableOf(noun)} (${listed(values.map(([name]) => bare(name)))})
    values (${listed(values.map(([, value]) => given(value)))})
    returning id
  `);
  return id as IdOf<N>;
}

/** Returns the labels of a new row, which are given as one text with commas. */
const labelsGiven = (name: string): FragmentSqlToken => sql.fragment`
  case when ${bare(name)} = '' then '{}' else change_labels('{}', string_to_array(${bare(name)}, ','), '{}') end
`;

const defaultOf = ({ create }: Field) => (typeof create === 'object' ? create.or : '');

/**
 * Returns a function that inserts rows with one statement and returns their ids, in the order of the rows. The fields of a
 * new row must be texts or labels.
 */
export function insertRowsOf<N extends Noun>(noun: N) {
  const fields = fieldsWith<Noun, 'create'>(noun, 'create');
  const columns = listed(fields.map(([name]) => bare(name)));
  const values = listed(
    fields.map(([name, { kind }]) => (kind === 'labels' ? labelsGiven(name) : bare(name))),
  );
  const sequence = sql.literalValue(`${noun.table}_id_seq`);
  return async (tx: Database, rows: readonly NewRow<N>[]): Promise<readonly IdOf<N>[]> => {
    const texts = fields.map(([name, field]) => {
      const given = rows.map((row: Readonly<Record<string, unknown>>) => row[name] ?? defaultOf(field));
      return sql.fragment`${sql.array(given.map(String), 'text')}`;
    });
    const ids = await tx.anyFirst(sql.type(idRow)`
      with given as materialized (
        select nextval(${sequence}) as id, given.*
        from unnest(${listed(texts)}) with ordinality as given (${columns}, place)
      ), inserted as (
        insert into ${tableOf(noun)} (id, ${columns}) select id, ${values} from given
        returning id
      )
      select id from inserted join given using (id) order by place
    `);
    return ids as readonly IdOf<N>[];
  };
}

/** Returns the assignments of a change. */
export const assignmentsOf = (changes: object): readonly FragmentSqlToken[] =>
  entriesOf(changes).map(([name, value]) => sql.fragment`${bare(name)} = ${given(value)}`);

/** Updates the given fields of a locked row, at least one. */
export async function updateRow<N extends Noun>(
  tx: Database,
  noun: N,
  id: IdOf<N> | null,
  changes: Changes<N>,
): Promise<void> {
  await tx.query(sql.unsafe`
    update ${tableOf(noun)} set ${listed(assignmentsOf(changes))} where ${hasId(noun, id)}
  `);
}

/** Deletes a row. Returns it, or null if there is none with the id. */
export async function deleteRow<N extends Noun>(
  tx: Database,
  noun: N,
  id: IdOf<N> | null,
): Promise<StoredRow<N> | null> {
  return await tx.maybeOne(sql.type(storedRowOf(noun))`
    delete from ${tableOf(noun)} where ${hasId(noun, id)} returning ${shownColumns(storedColumns(noun))}
  `);
}
