import type { InputOf, ListId, OutputOf, RowsField } from '../../src/contract/registry.ts';
import { NotFoundError } from '../errors.ts';
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

/** Reads a page of at most so many rows. An answer without a place to go on is the last one. */
type ReadPage<Row> = (
  size: number,
  cursor: string | undefined,
) => Promise<{ readonly rows: readonly Row[]; readonly nextCursor?: string | null | undefined }>;

/**
 * Reads pages one after another.
 *
 * @param limit - the number of rows; 0 for all
 */
async function* eachPage<Row>(
  limit: number,
  cursor: string | undefined,
  read: ReadPage<Row>,
): AsyncGenerator<Page<Row>> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let nextCursor = cursor ?? null;
  do {
    const { rows, nextCursor: next = null } = await read(Math.min(left, pageSize), nextCursor ?? undefined);
    nextCursor = next;
    left -= rows.length;
    yield { rows, nextCursor };
  } while (nextCursor !== null && left > 0);
}

/**
 * Reads a list page by page, so that it is never in memory as a whole.
 *
 * @param limit - the number of rows; 0 for all
 */
export function pagesOf<Id extends ListId>(
  access: Access,
  { operation: id, name }: ListPlace<Id>,
  parameters: Readonly<Record<string, unknown>>,
  limit: number,
): AsyncGenerator<Page<Rows[Id]>> {
  return eachPage(limit, undefined, async (size, cursor) => {
    const input = { ...parameters, limit: size, cursor } as InputOf<Id>;
    const { [name]: rows, nextCursor } = (await access.call(id, input)) as Record<string, unknown>;
    return { rows: rows as readonly Rows[Id][], nextCursor: nextCursor as string | null | undefined };
  });
}

/**
 * Reads pages of rows, and where the next one goes on.
 *
 * @param limit - the number of rows; 0 for all
 */
export async function readPages<Row>(limit: number, cursor: string | undefined, read: ReadPage<Row>) {
  const pages: (readonly Row[])[] = [];
  let nextCursor: string | null = null;
  for await (const page of eachPage(limit, cursor, read)) {
    pages.push(page.rows);
    nextCursor = page.nextCursor;
  }
  return { pages, nextCursor };
}

export type ThreadPage = OutputOf<'messages.list'>;
export type ThreadMessage = ThreadPage['messages'][number];
/** A thread of an existing conversation. */
export type FoundThread = ThreadPage & { readonly conversation: NonNullable<ThreadPage['conversation']> };

/**
 * Reads the latest messages of a conversation, in pages if there are many.
 *
 * @param limit - the number of messages; 0 for all
 * @param options - `before` is the `nextCursor` of an earlier read, to continue with older messages; `include` names
 *   fields to add to the conversation, such as `assignee,labels`
 * @throws NotFoundError if there is no such conversation
 */
export async function readThread(
  access: Pick<Access, 'call'>,
  id: string,
  limit: number,
  { before, include }: { readonly before?: string | null | undefined; readonly include?: string } = {},
): Promise<FoundThread> {
  let first = undefined as FoundThread | undefined;
  const { pages, nextCursor } = await readPages(limit, before ?? undefined, async (size, cursor) => {
    const page = await access.call('messages.list', { conversation_id: id, limit: size, cursor, include });
    first ??= found(id, page);
    return { rows: page.messages, nextCursor: page.nextCursor };
  });
  return { ...(first as FoundThread), messages: pages.toReversed().flat(), nextCursor };
}

function found(id: string, thread: ThreadPage): FoundThread {
  const { conversation } = thread;
  if (conversation !== null) return { ...thread, conversation };
  throw new NotFoundError(`No conversation ${id}. Run \`backoffice conversations list\` to see all.`);
}

/** Adds the issues that scraping errors are linked with. */
export async function withIssues<ScrapingError extends { readonly id: number }>(
  access: Pick<Access, 'call'>,
  errors: readonly ScrapingError[],
): Promise<(ScrapingError & { readonly issues: OutputOf<'links.list'>['links'] })[]> {
  if (errors.length === 0) return [];
  const ids = errors.map(({ id }) => id).join(',');
  const { links } = await access.call('links.list', { scraping_error_id: ids });
  return errors.map((error) => ({
    ...error,
    issues: links.filter(({ scraping_error_id }) => scraping_error_id === error.id),
  }));
}
