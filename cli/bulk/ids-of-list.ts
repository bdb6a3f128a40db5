import type { InputOf } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';

const pageSize = 1_000;

/** The ids of the rows of each list. */
interface ListedIds {
  readonly 'issues.list': number;
  readonly 'conversations.list': string;
}

/** Returns the ids of all rows of a list that match a filter. */
export async function idsOfList<Id extends keyof ListedIds>(
  access: Access,
  id: Id,
  filter: InputOf<Id>,
): Promise<ListedIds[Id][]> {
  const ids: ListedIds[Id][] = [];
  let cursor: string | null | undefined;
  do {
    const input = { ...(filter as object), limit: pageSize, ...(cursor ? { cursor } : {}) };
    const page = (await access.call(id, input as InputOf<Id>)) as {
      readonly issues?: readonly { readonly id: number }[];
      readonly conversations?: readonly { readonly id: string }[];
      readonly nextCursor?: string | null;
    };
    ids.push(...((page.issues ?? page.conversations ?? []).map((row) => row.id) as ListedIds[Id][]));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
}
