import { queryOptions } from '@tanstack/react-query';
import type { ViewList } from '../../../src/contract/fields/views.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { receivers } from '../app/data/reload.ts';
import type { Filter } from './address.ts';

export type SavedView = OutputOf<'views.list'>['views'][number];

/** The views of a list that the signed-in admin has saved, here or in the terminal. */
export const viewsQuery = (list: ViewList) =>
  queryOptions({
    queryKey: ['views', list],
    queryFn: async ({ signal }) => (await client.call('views.list', { list }, signal)).views,
  });

receivers.add(({ type }) => {
  if (type.startsWith('view.')) void queryClient.invalidateQueries({ queryKey: ['views'] });
});

/** Returns the filter of a saved view, with its order, as an address has it. */
export const filterOfView = ({ filter, sort }: SavedView): Filter => ({
  ...filter,
  ...(sort !== null && { sort }),
});

/** Returns the filter that a list opens with: of the view that the admin has put first, or else the given one. */
export async function firstFilter(list: ViewList, usual: Filter): Promise<Filter> {
  const saved = await queryClient.ensureQueryData(viewsQuery(list)).catch(() => []);
  const first = saved.find(({ is_first: isFirst }) => isFirst);
  return first ? filterOfView(first) : usual;
}
