import { type InputOf, type ListId, type OutputOf, rowsField } from '../../../src/contract/registry.ts';
import type { Rows as RowsOf } from '../../access/pages.ts';
import type { App } from '../app/app.ts';
import { createRows, type Key, type Rows } from './rows.ts';

type Identified = { readonly id: number | string };

/**
 * Returns the rows of a list with cursors.
 *
 * @param more - parameters of every request, such as `include`
 * @param toRow - what is kept of a row: a list may hold many
 */
export function cursorRows<Id extends ListId, Row extends Identified = RowsOf[Id] & Identified>(
  app: App,
  id: Id,
  more: Partial<InputOf<Id>> = {},
  toRow = (row: RowsOf[Id]) => row as unknown as Row,
  sort: string | null = '-created_at',
  followsFirst = false,
): Rows<Row> {
  return createRows<Row>(app, {
    keyOf: (row) => row.id,
    sort: sort ?? '',
    maxLimit: 1_000,
    followsFirst,
    async load({ filter, sort: by }, cursor, limit) {
      const order = sort === null ? {} : { sort: by };
      const from = cursor === null ? {} : { cursor };
      const input = { ...filter, ...more, ...order, ...from, limit } as InputOf<Id>;
      const answer = (await app.call(id, input)) as Readonly<Record<string, unknown>>;
      return {
        rows: (answer[rowsField(id)] as readonly RowsOf[Id][]).map(toRow),
        next: (answer.nextCursor as string | null | undefined) ?? null,
      };
    },
  });
}

export type Admin = OutputOf<'admins.list'>['admins'][number];

/** Returns the admins, whose list has page numbers. */
export function adminRows(app: App): Rows<Admin> {
  return createRows(app, {
    keyOf: (row) => row.id,
    sort: 'created_at',
    maxLimit: 100,
    async load({ filter, sort }, cursor) {
      const page = Number(cursor ?? 1);
      const input = { ...filter, sort, page, limit: 100 } as InputOf<'admins.list'>;
      const { admins, pagination } = await app.call('admins.list', input);
      const next = page < pagination.totalPages ? String(page + 1) : null;
      return { rows: admins, next, total: pagination.total };
    },
  });
}

/**
 * Returns rows that come in one answer. The filter is a text that is looked for in what was loaded last, so that typing it
 * costs no calls.
 *
 * @param textsOf - the texts of a row in which a filter may be found
 */
export function wholeRows<Row>(
  app: App,
  load: () => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  textsOf: (row: Row) => readonly string[],
): Rows<Row> {
  let loaded: readonly Row[] | undefined;
  let shown = '';
  return createRows(app, {
    keyOf,
    sort: '',
    maxLimit: Number.POSITIVE_INFINITY,
    async load({ text }) {
      if (loaded === undefined || text === shown) loaded = await load();
      shown = text;
      const wanted = text.toLowerCase();
      const rows = loaded.filter((row) => textsOf(row).some((each) => each.toLowerCase().includes(wanted)));
      return { rows, next: null, total: rows.length };
    },
  });
}
