import type { ListId } from '../../src/contract/registry.ts';
import type { Access } from '../access/access.ts';
import { type ListPlace, pagesOf, type Rows } from '../access/pages.ts';

/**
 * Returns the ids of all rows of a list that match a filter.
 *
 * @param idOf - returns the id of a row
 */
export async function matchingIds<Id extends ListId, RowId>(
  access: Access,
  list: ListPlace<Id>,
  filter: object,
  idOf: (row: Rows[Id]) => RowId,
): Promise<RowId[]> {
  const ids: RowId[] = [];
  for await (const { rows } of pagesOf(access, list, { ...filter }, 0)) ids.push(...rows.map(idOf));
  return ids;
}
