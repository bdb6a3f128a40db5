import { describe, expect, test } from 'vitest';
import { readNewestRows } from '../../../../cli/tui/list/newest-rows.ts';
import type { Page } from '../../../../cli/tui/list/source.ts';
import { rowOrder as order, type Row, rowsFrom } from '../../../support/run/dashboard-here.ts';

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
