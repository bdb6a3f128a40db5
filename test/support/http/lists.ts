import { expect } from 'vitest';
import type { Backoffice } from './backoffice.ts';

/** The lists that are searched, bounded and paged, each with the name of its rows and of the time that orders them. */
export const lists = [
  { rows: 'issues', time: 'created_at' },
  { rows: 'conversations', time: 'updated_at' },
] as const;

export type ListName = (typeof lists)[number]['rows'];

/** As much of a row as every list has. */
export interface Row {
  readonly id: string | number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An answer of a list. */
export interface Page {
  readonly rows: readonly Row[];
  /** Undefined where the answer has none. */
  readonly nextCursor: string | null | undefined;
}

/** Asks for a list with those parameters; a cursor that is null is none. */
export async function ask(
  { ask: send }: Pick<Backoffice, 'ask'>,
  name: ListName,
  parameters: Readonly<Record<string, string | number | null>> = {},
): Promise<Page> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) if (value !== null) query.append(key, `${value}`);
  const { status, body } = await send.get(`/${name}?${query}`);
  expect(body).not.toHaveProperty('error');
  expect(status).toBe(200);
  const { [name]: rows, nextCursor } = body as Record<string, unknown>;
  return { rows: rows as Row[], nextCursor: nextCursor as Page['nextCursor'] };
}

/** The ids of the rows that match, in the order of the list. */
export async function idsOf(...parameters: Parameters<typeof ask>): Promise<(string | number)[]> {
  return (await ask(...parameters)).rows.map(({ id }) => id);
}

/** Follows nextCursor from the first page to the last; `between` happens after each page. */
export async function walk(
  backoffice: Pick<Backoffice, 'ask'>,
  name: ListName,
  parameters: Readonly<Record<string, string | number>>,
  between?: (page: Page) => Promise<void>,
): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | null | undefined = null;
  do {
    const page: Page = await ask(backoffice, name, { ...parameters, cursor });
    pages.push(page);
    await between?.(page);
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
  return pages;
}

/** The rows of some pages, one after the other. */
export function rowsOf(pages: readonly Page[]): Row[] {
  return pages.flatMap(({ rows }) => rows);
}
