import { expect } from 'vitest';
import type { Backoffice } from './backoffice.ts';

/** The lists with search, time bounds and pages, each with the names of its rows and of the time that orders them. */
export const lists = [
  { rows: 'issues', time: 'created_at' },
  { rows: 'conversations', time: 'updated_at' },
] as const;

export type ListName = (typeof lists)[number]['rows'];

/** The fields that the rows of all lists have. */
export interface Row {
  readonly id: string | number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Page {
  readonly rows: readonly Row[];
  /** Undefined if the answer has no cursor. */
  readonly nextCursor: string | null | undefined;
}

/** Requests one page of a list. Parameters that are null are left out. */
export async function fetchPage(
  { api }: Pick<Backoffice, 'api'>,
  name: ListName,
  parameters: Readonly<Record<string, string | number | null>> = {},
): Promise<Page> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) if (value !== null) query.append(key, `${value}`);
  const { status, body } = await api.get(`/${name}?${query}`);
  expect(body).not.toHaveProperty('error');
  expect(status).toBe(200);
  const { [name]: rows, nextCursor } = body as Record<string, unknown>;
  return { rows: rows as Row[], nextCursor: nextCursor as Page['nextCursor'] };
}

/** Returns the ids of the matching rows, in the order of the list. */
export async function idsOf(...parameters: Parameters<typeof fetchPage>): Promise<(string | number)[]> {
  return (await fetchPage(...parameters)).rows.map(({ id }) => id);
}

/** Requests all pages by following nextCursor. Calls `between` after each page. */
export async function fetchAllPages(
  backoffice: Pick<Backoffice, 'api'>,
  name: ListName,
  parameters: Readonly<Record<string, string | number>>,
  between?: (page: Page) => Promise<void>,
): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | null | undefined = null;
  do {
    const page: Page = await fetchPage(backoffice, name, { ...parameters, cursor });
    pages.push(page);
    await between?.(page);
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
  return pages;
}

/** Returns the rows of the pages in order. */
export function rowsOf(pages: readonly Page[]): Row[] {
  return pages.flatMap(({ rows }) => rows);
}
