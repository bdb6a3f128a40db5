import { describe, expect, test } from 'vitest';
import { changedKeys, isUnchanged, mergeRows } from '../../../../cli/tui/list/merge-rows.ts';
import { readNewestRows } from '../../../../cli/tui/list/newest-rows.ts';
import type { Page } from '../../../../cli/tui/list/source.ts';
import { scrollWindow } from '../../../../cli/tui/list/window.ts';
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

describe('loading the newest rows', () => {
  /** Returns a source with these rows and the cursors that were requested. */
  function pagesOf(rows: readonly Row[], timeOf: (row: Row) => number = order.timeOf) {
    const cursors: (string | null)[] = [];
    const load = async (cursor: string | null, limit: number): Promise<Page<Row>> => {
      cursors.push(cursor);
      const from = Number(cursor ?? 0);
      const isLast = from + limit >= rows.length;
      return { rows: rows.slice(from, from + limit), nextCursor: isLast ? null : String(from + limit) };
    };
    return { cursors, source: { load, keyOf: order.keyOf, timeOf } };
  }

  test('continues to the first known row, or to its place', async () => {
    const { cursors, source } = pagesOf(rowsFrom(1_000, 1));
    const [first] = rowsFrom(955, 955);
    expect(await readNewestRows(source, first, 10)).toMatchObject({ nextCursor: '50', isJoined: true });
    expect(cursors).toHaveLength(5);
    const without = pagesOf(rowsFrom(1_000, 1).filter(({ id }) => id !== 955));
    expect(await readNewestRows(without.source, first, 10)).toMatchObject({
      nextCursor: '50',
      isJoined: true,
    });
  });

  test('loads one page if no row was known', async () => {
    const { cursors, source } = pagesOf(rowsFrom(1_000, 1));
    expect(await readNewestRows(source, undefined, 10)).toMatchObject({ nextCursor: '10', isJoined: true });
    expect(cursors).toHaveLength(1);
  });

  test('continues through rows of the same time', async () => {
    const { source } = pagesOf(rowsFrom(100, 1), () => 0);
    const [first] = rowsFrom(85, 85);
    expect(await readNewestRows(source, first, 10)).toMatchObject({ nextCursor: '20', isJoined: true });
  });

  test('continues to the old place of a row that has moved up', async () => {
    const timeOf = ({ id, name }: Row) => (name === 'moved' ? 2_000 : id);
    const { source } = pagesOf(
      [{ id: 955, name: 'moved' }, ...rowsFrom(1_000, 956), ...rowsFrom(954, 1)],
      timeOf,
    );
    const [first] = rowsFrom(955, 955);
    expect(await readNewestRows(source, first, 10)).toMatchObject({ nextCursor: '50', isJoined: true });
  });

  test('stops after 2,000 rows', async () => {
    const { cursors, source } = pagesOf(rowsFrom(10_000, 1));
    const [first] = rowsFrom(1, 1);
    const newest = await readNewestRows(source, first, 200);
    expect(newest).toMatchObject({ nextCursor: '2000', isJoined: false });
    expect(newest.rows).toEqual(rowsFrom(10_000, 8_001));
    expect(cursors).toHaveLength(10);
  });
});

describe('the visible part of a list', () => {
  const before = { top: 20, index: 25, key: 'a' };

  test('stays in place when rows are added above it', () => {
    expect(scrollWindow(before, 28, 'a', 1000, 10)).toEqual({ top: 23, index: 28, key: 'a' });
  });

  test('shows rows added at the top while the cursor is visible', () => {
    expect(scrollWindow({ top: 0, index: 0, key: 'a' }, 1, 'a', 1000, 10).top).toBe(0);
  });

  test('keeps two rows visible around the cursor', () => {
    expect(scrollWindow(before, 28, 'b', 1000, 10).top).toBe(21);
    expect(scrollWindow(before, 21, 'b', 1000, 10).top).toBe(19);
  });

  test('ends with the list', () => {
    expect(scrollWindow({ top: 990, index: 999, key: 'a' }, 5, 'b', 6, 10).top).toBe(0);
    expect(scrollWindow(before, 999, 'z', 1000, 10).top).toBe(990);
  });
});
