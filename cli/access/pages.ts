import type { InputOf, ListId, OutputOf, RowsField } from '../../src/contract/registry.ts';
import type { Access } from './access.ts';

const pageSize = 1_000;

/** The rows of a list in an answer. */
export type RowIn<Answer, Name extends string> =
  Answer extends Readonly<Record<Name, readonly (infer Row)[]>> ? Row : never;

/** The rows of each list. */
export type Rows = { readonly [Id in ListId]: RowIn<OutputOf<Id>, RowsField<Id>> };

/** Where the rows of a list are. */
export interface ListPlace<Id extends ListId> {
  readonly operation: Id;
  /** The field of the answer that holds the rows. */
  readonly name: string;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page goes on; null after the last. */
  readonly nextCursor: string | null;
}

/**
 * Reads a list page by page, so that it is never in memory as a whole.
 *
 * @param limit - the number of rows; 0 for all
 */
export async function* pagesOf<Id extends ListId>(
  access: Access,
  { operation: id, name }: ListPlace<Id>,
  parameters: Readonly<Record<string, unknown>>,
  limit: number,
): AsyncGenerator<Page<Rows[Id]>> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let cursor: string | null = null;
  do {
    const size = Math.min(left, pageSize);
    const input = { ...parameters, limit: size, ...(cursor === null ? {} : { cursor }) };
    const document = (await access.call(id, input as InputOf<Id>)) as Record<string, unknown>;
    const rows = document[name] as readonly Rows[Id][];
    cursor = (document.nextCursor as string | null | undefined) ?? null;
    left -= rows.length;
    yield { rows, nextCursor: cursor };
  } while (cursor !== null && left > 0);
}

/**
 * Reads pages of which each cursor leads to the next one.
 *
 * @param limit - the number of rows; 0 for all
 * @param read - reads a page of at most so many rows
 */
export async function readPages<Row>(
  limit: number,
  cursor: string | undefined,
  read: (size: number, cursor: string | undefined) => Promise<Page<Row>>,
): Promise<{ readonly pages: readonly (readonly Row[])[]; readonly nextCursor: string | null }> {
  const pages: (readonly Row[])[] = [];
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let nextCursor = cursor ?? null;
  do {
    const page = await read(Math.min(left, pageSize), nextCursor ?? undefined);
    pages.push(page.rows);
    nextCursor = page.nextCursor;
    left -= page.rows.length;
  } while (nextCursor !== null && left > 0);
  return { pages, nextCursor };
}
