import { describe, expect, test } from 'vitest';
import { changedKeys, isUnchanged, mergeRows } from '../../../../cli/tui/list/merge-rows.ts';
import { rowOrder as order, type Row, rowsFrom } from '../../../support/run/dashboard-here.ts';

describe('newest rows that were loaded again', () => {
  test('add new rows, drop deleted ones and keep the rows behind them', () => {
    const known = rowsFrom(10, 1);
    const fresh = [{ id: 11, name: 'new' }, ...rowsFrom(10, 6).filter(({ id }) => id !== 8)];
    expect(mergeRows(known, fresh, false, order).map(({ id }) => id)).toEqual([
      11, 10, 9, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(mergeRows(known, fresh, true, order).map(({ id }) => id)).toEqual([11, 10, 9, 7, 6]);
  });

  test('report which rows have changed', () => {
    const known = rowsFrom(3, 1);
    const fresh = [{ id: 4, name: 'new' }, { id: 3, name: 'another' }, ...rowsFrom(2, 1)];
    expect(changedKeys(known, fresh, order.keyOf)).toEqual([4, 3]);
  });

  test('keep all rows of the last time, in any order', () => {
    const hourly = { ...order, timeOf: ({ id }: Row) => Math.floor(id / 10) };
    const known = [
      ...rowsFrom(22, 20),
      ...[15, 19, 11, 17].map((id) => ({ id, name: `row ${id}` })),
      ...rowsFrom(9, 8),
    ];
    const fresh = known.slice(1, 5);
    expect(mergeRows(known, fresh, false, hourly).map(({ id }) => id)).toEqual([
      21, 20, 15, 19, 11, 17, 9, 8,
    ]);
  });

  test('are unchanged only if the same rows have the same order and none is missing', () => {
    const known = rowsFrom(5, 1);
    const isSame = (fresh: readonly Row[], isAll: boolean) =>
      isUnchanged(known, fresh, isAll, changedKeys(known, fresh, order.keyOf), order.keyOf);
    expect(isSame(rowsFrom(5, 3), false)).toBe(true);
    expect(isSame(rowsFrom(5, 1), true)).toBe(true);
    expect(isSame(rowsFrom(5, 3), true)).toBe(false);
    expect(isSame(rowsFrom(6, 4), false)).toBe(false);
    expect(isSame(rowsFrom(5, 3).reverse(), false)).toBe(false);
    expect(isSame([{ id: 5, name: 'another' }, ...rowsFrom(4, 3)], false)).toBe(false);
    expect(isSame(rowsFrom(5, 0), false)).toBe(false);
  });
});
