import { grouped } from '../../terminal/number.ts';
import type { Position } from '../state/screen-types.ts';
import type { List } from './list.ts';
import type { ListState } from './state.ts';

/** Returns where the cursor is in a list: `  4,211 of 100,000`, or `4,211 of 12,000+` if nobody has counted the rows. */
export function positionOf({
  shown,
  index,
  nextCursor,
  total,
}: Pick<ListState<unknown>, 'shown' | 'index' | 'nextCursor' | 'total'>): string {
  if (shown.length === 0) return '';
  const count =
    nextCursor === null
      ? grouped(shown.length)
      : total === null
        ? `${grouped(shown.length)}+`
        : grouped(total);
  // As wide for every row, so that what stands beside it does not move.
  return `${grouped(index + 1).padStart(count.length)} of ${count}`;
}

/** Returns where the cursor is in a list, as it changes. */
export function listPosition({ store }: Pick<List<unknown>, 'store'>): Position {
  return { text: () => positionOf(store.get()), subscribe: store.subscribe };
}

/** Returns how far the loading of a list is: `loading 4,200 of 100,000…`; the empty text if not all of it is loaded. */
export function progressOf({
  rows,
  total,
  isLoadingAll,
}: Pick<ListState<unknown>, 'rows' | 'total' | 'isLoadingAll'>): string {
  if (!isLoadingAll) return '';
  return `loading ${grouped(rows.length)}${total === null ? '' : ` of ${grouped(total)}`}…`;
}
