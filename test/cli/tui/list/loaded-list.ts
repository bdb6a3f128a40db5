import type { List } from '../../../../cli/tui/list/list.ts';
import { heldList, type Row } from '../../../support/run/dashboard-here.ts';

/** Returns a list whose first page is loaded, and its loads from then on. */
export async function loadedList(
  rows: readonly Row[],
  nextCursor: string | null = null,
  more: Parameters<typeof heldList>[0] = {},
): Promise<ReturnType<typeof heldList>> {
  const held = heldList(more);
  void held.list.reload();
  await held.loads[0]?.answer(rows, nextCursor);
  held.loads.shift();
  return held;
}

export const stateOf = (list: List<Row>) => list.store.get();

export const ascending = (rows: readonly Row[]) => rows.toSorted((one, other) => one.id - other.id);
