import { describe, expect, test } from 'vitest';
import type { List } from '../../../../cli/tui/list/list.ts';
import { positionOf } from '../../../../cli/tui/list/position.ts';
import { type ListWindow, scrollWindow } from '../../../../cli/tui/list/window.ts';
import {
  type HeldLoad,
  heldList,
  listOver,
  type Row,
  rowsFrom,
} from '../../../support/run/dashboard-here.ts';

const state = (list: List<Row>) => list.store.get();
const ascending = (rows: readonly Row[]) => rows.toSorted((one, other) => one.id - other.id);

/** Returns a list whose first page is loaded, and its loads from then on. */
async function loaded(
  rows: readonly Row[],
  nextCursor: string | null = null,
  more: Parameters<typeof heldList>[0] = {},
) {
  const held = heldList(more);
  void held.list.reload();
  await held.loads[0]?.answer(rows, nextCursor);
  held.loads.shift();
  return held;
}

describe('a list', () => {
  test('has no gap if more rows are new than fit on a page', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = listOver(rows);
    await list.reload();
    list.move(10);
    rows.current = rowsFrom(1_200, 1);
    await list.refresh();
    expect(state(list).rows).toEqual(rowsFrom(1_200, 1_201 - state(list).rows.length));
    expect(list.current()?.id).toBe(490);
    list.toLast();
    await expect.poll(() => state(list).rows).toEqual(rows.current);
  });

  test('discards the known rows if far more are new', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = listOver(rows);
    await list.reload();
    rows.current = rowsFrom(20_000, 1);
    await list.refresh();
    expect(state(list).rows).toEqual(rowsFrom(20_000, 18_001));
    await list.loadAll();
    expect(state(list).rows).toEqual(rows.current);
  });

  test('keeps its cursor on its row when rows are added and removed', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = listOver(rows);
    await list.reload();
    list.move(30);
    expect(list.current()?.id).toBe(470);
    rows.current = [...rowsFrom(520, 480), ...rowsFrom(470, 1)];
    await list.refresh();
    expect(list.current()?.id).toBe(470);
    expect(state(list).rows).toEqual(rows.current.filter(({ id }) => id > 100));
    expect(state(list).marks.has(520)).toBe(true);
    list.remove(470);
    expect(list.current()?.id).toBe(469);
  });

  const [fifth, ...rest] = rowsFrom(5, 1);
  const renamed = { id: 5, name: 'another' };
  test.each<[what: string, fresh: readonly Row[], next: string | null, after: readonly (Row | undefined)[]]>([
    ['the same rows', rowsFrom(5, 3), '3', [fifth, ...rest]],
    ['all the same rows', rowsFrom(5, 1), null, [fifth, ...rest]],
    ['fewer rows in all', rowsFrom(5, 3), null, rowsFrom(5, 3)],
    ['a new row', rowsFrom(6, 4), '4', rowsFrom(6, 1)],
    ['one row more at the end', rowsFrom(5, 0), null, rowsFrom(5, 0)],
    ['another order', ascending(rowsFrom(5, 3)), '5', [...ascending(rowsFrom(5, 3)), ...rowsFrom(2, 1)]],
    ['a changed row', [renamed, ...rowsFrom(4, 3)], '3', [renamed, ...rest]],
  ])('shows %s after a refresh, and marks what is new', async (what, fresh, next, after) => {
    const { list, loads } = await loaded(rowsFrom(5, 1));
    const before = state(list).rows;
    void list.refresh();
    await loads[0]?.answer(fresh, next);
    expect(state(list).rows).toEqual(after);
    // The same array is not drawn again.
    expect(state(list).rows === before).toBe(what.endsWith('the same rows'));
    const isNew = ({ id, name }: Row) => !before.some((row) => row.id === id && row.name === name);
    expect([...state(list).marks.keys()]).toEqual(fresh.filter(isNew).map(({ id }) => id));
  });

  test('keeps all rows of the time at which the newest rows end, in any order', async () => {
    const known = [22, 21, 20, 15, 19, 11, 17, 9, 8].map((id) => ({ id, name: `row ${id}` }));
    const { list, loads } = await loaded(known, '8', { timeOf: ({ id }) => Math.floor(id / 10) });
    void list.refresh();
    await loads[0]?.answer(known.slice(1, 5), '19');
    expect(state(list).rows.map(({ id }) => id)).toEqual([21, 20, 15, 19, 11, 17, 9, 8]);
  });

  test.each<[what: string, timeOf: (row: Row) => number, first: readonly Row[]]>([
    ['rows of the same time', () => 0, rowsFrom(100, 91)],
    [
      'the old place of a row that has moved up',
      ({ id, name }) => (name === 'moved' ? 2_000 : id),
      [{ id: 85, name: 'moved' }, ...rowsFrom(100, 91)],
    ],
  ])('refreshes through %s', async (_what, timeOf, first) => {
    const { list, loads } = await loaded(rowsFrom(85, 66), '66', { timeOf });
    void list.refresh();
    await loads[0]?.answer(first, '91');
    const second = rowsFrom(90, 81).filter(({ id }) => !first.some((row) => row.id === id));
    await loads[1]?.answer(second, '81');
    expect(loads.map(({ cursor }) => cursor)).toEqual([null, '91']);
    expect(state(list).rows).toEqual([...first, ...second, ...rowsFrom(80, 66)]);
  });

  test('goes to its end and back', async () => {
    const list = listOver({ current: rowsFrom(10_000, 1) });
    await list.reload();
    await list.loadAll();
    list.toLast();
    expect(list.current()?.id).toBe(1);
    list.toFirst();
    expect(list.current()?.id).toBe(10_000);
    expect(state(list).shown).toEqual(rowsFrom(10_000, 1));
  });

  test('loads more rows before the cursor reaches the end', async () => {
    const list = listOver({ current: rowsFrom(3_000, 1) });
    await list.reload();
    list.move(150);
    await expect.poll(() => state(list).rows.length).toBeGreaterThan(200);
    expect(list.current()?.id).toBe(2_850);
  });

  test('holds keys that go beyond the loaded rows until these are there', async () => {
    const { list, loads } = await loaded(rowsFrom(1_000, 801), '801');
    list.move(199);
    list.move(300);
    list.move(-1);
    // The last loaded row.
    expect(list.current()?.id).toBe(801);
    await loads[0]?.answer(rowsFrom(800, 601), '601');
    expect(list.current()?.id).toBe(601);
    await loads[1]?.answer(rowsFrom(600, 401), '401');
    expect(list.current()?.id).toBe(502);
    expect(state(list).wanted).toBe(null);
  });

  test('forgets such keys if the rows cannot be loaded, or end before', async () => {
    const { list, loads } = await loaded(rowsFrom(300, 201), '201');
    list.move(150);
    await loads[0]?.refuse('The database is unavailable.');
    expect(state(list)).toMatchObject({ index: 99, wanted: null, error: 'The database is unavailable.' });
    list.move(150);
    await loads[1]?.answer(rowsFrom(200, 190));
    expect(list.current()?.id).toBe(190);
    list.move(-1);
    expect(list.current()?.id).toBe(191);
  });

  test('goes to the true end row by row as they arrive, until another key stops it', async () => {
    const { list, loads } = await loaded(rowsFrom(9_000, 8_801), '8801');
    list.toLast();
    expect(state(list).isLoadingAll).toBe(true);
    await loads[0]?.answer(rowsFrom(8_800, 8_001), '8001');
    expect(list.current()?.id).toBe(8_001);
    list.move(-1);
    await loads[1]?.answer(rowsFrom(8_000, 1));
    expect(list.current()?.id).toBe(8_002);
    list.toLast();
    expect(list.current()?.id).toBe(1);
  });

  test('shows the rows that are there in another order, from its top, while the others are loaded', async () => {
    const { list, loads, source } = await loaded(rowsFrom(1_000, 901), '901');
    source.arrange = ascending;
    const sorted = list.rearrange();
    expect(list.current()?.id).toBe(901);
    await loads[0]?.answer(rowsFrom(900, 501), '501');
    expect(list.current()?.id).toBe(501);
    expect(state(list).shown).toHaveLength(500);
    list.move(3);
    await loads[1]?.answer(rowsFrom(500, 1));
    await sorted;
    // Away from the top, the cursor stays on its row.
    expect(list.current()?.id).toBe(504);
    expect(positionOf(state(list))).toBe('  504 of 1,000');
  });

  test('is sorted as a whole and keeps its cursor', async () => {
    const list = listOver({ current: rowsFrom(2_000, 1) }, ascending);
    await list.reload();
    expect(state(list).shown[0]?.id).toBe(1);
    list.toKey(1_234);
    await list.refresh();
    expect(list.current()?.id).toBe(1_234);
  });

  test('shows why a refresh failed and keeps its rows, but none of an old filter if the new one is refused', async () => {
    const { list, loads } = await loaded(rowsFrom(3, 1), '1');
    void list.refresh();
    await loads[0]?.refuse('The database is unavailable.');
    const failed = { phase: 'ready', error: 'The database is unavailable.', rows: rowsFrom(3, 1) };
    expect(state(list)).toMatchObject(failed);
    void list.reload();
    await loads[1]?.refuse('event must be one of: issue.created.');
    const refused = { phase: 'failed', error: 'event must be one of: issue.created.' };
    expect(state(list)).toMatchObject({ ...refused, rows: [], shown: [], nextCursor: null });
    void list.refresh();
    await loads[2]?.answer(rowsFrom(3, 1));
    expect(state(list)).toMatchObject({ phase: 'ready', error: '', shown: rowsFrom(3, 1) });
  });
});

/** Returns a list that was filtered while `late`, the second page of the old filter, was still loading. */
async function filteredAgain() {
  const { list, loads } = await loaded(rowsFrom(500, 301), '301');
  list.move(1);
  void list.reload();
  const [late, first] = loads.splice(0) as [HeldLoad, HeldLoad];
  await first.answer(rowsFrom(50, 41), '41');
  return { list, loads, late };
}

describe('a late page', () => {
  test('leaves no gap if the list has replaced its rows', async () => {
    const { list, loads } = await loaded(rowsFrom(500, 301), '301');
    list.move(1);
    void list.refresh();
    expect(loads.map(({ cursor }) => cursor)).toEqual(['301', null]);
    // More rows are new than one refresh loads.
    for (let page = 0; page < 10; page += 1) {
      const first = 20_000 - page * 200;
      await loads[1 + page]?.answer(rowsFrom(first, first - 199), String(first - 199));
    }
    expect(state(list).nextCursor).toBe('18001');
    await loads[0]?.answer(rowsFrom(300, 101), '101');
    expect(state(list)).toMatchObject({ nextCursor: '18001', rows: rowsFrom(20_000, 18_001) });
  });

  test('does not show its failure above the rows of another filter, nor stop the loading of all of them', async () => {
    const { list, loads, late } = await filteredAgain();
    const filled = list.loadAll();
    await late.refuse('The old filter was too slow.');
    expect(state(list)).toMatchObject({ phase: 'ready', error: '' });
    await loads[0]?.answer(rowsFrom(40, 31), '31');
    await loads[1]?.answer(rowsFrom(30, 21));
    await filled;
    expect(state(list)).toMatchObject({ error: '', isLoadingAll: false, rows: rowsFrom(50, 21) });
  });

  test('does not make a page of another filter load twice', async () => {
    const { list, loads, late } = await filteredAgain();
    list.move(1);
    await late.answer(rowsFrom(300, 101), '101');
    list.move(1);
    expect(loads.map(({ cursor }) => cursor)).toEqual(['41']);
  });

  test('is not requested during a reload, because it would belong to another filter', async () => {
    const { list, loads } = await loaded(rowsFrom(500, 301), '301');
    void list.reload();
    list.move(10);
    const filled = list.loadAll();
    expect(loads).toHaveLength(1);
    await loads[0]?.answer(rowsFrom(50, 41), '41');
    await loads[1]?.answer(rowsFrom(40, 31));
    await filled;
    expect(state(list).rows).toEqual(rowsFrom(50, 31));
  });
});

describe('a late answer to a refresh', () => {
  test('shows no failure above newer rows', async () => {
    const { list, loads } = await loaded(rowsFrom(1, 1));
    const refreshes = [list.refresh(), list.refresh()];
    await loads[1]?.answer(rowsFrom(2, 1));
    await loads[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(state(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
  });

  test('waits for a reload in between, also if the refresh fails', async () => {
    const { list, loads } = await loaded(rowsFrom(1, 1));
    let isDone = false;
    void list.refresh().then(() => {
      isDone = true;
    });
    void list.reload();
    await loads[0]?.refuse('The service was away.');
    expect(isDone).toBe(false);
    await loads[1]?.answer(rowsFrom(2, 1));
    expect(isDone).toBe(true);
    expect(state(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
  });

  test('loads a sorted list completely again after a gap', async () => {
    const { list, loads } = await loaded(rowsFrom(2, 1), null, { arrange: ascending });
    void list.refresh();
    for (let page = 0; page < 10; page += 1) {
      const first = 2_200 - page * 200;
      await loads[page]?.answer(rowsFrom(first, first - 199), String(first - 199));
    }
    await loads[10]?.answer(rowsFrom(200, 1));
    expect(state(list).shown).toEqual(rowsFrom(2_200, 1).reverse());
  });
});

describe('the last row', () => {
  test('is not selected if the list was reloaded in the meantime', async () => {
    const { list, loads } = await loaded(rowsFrom(500, 301), '301');
    list.toLast();
    void list.reload();
    await loads[1]?.answer(rowsFrom(50, 1));
    await loads[0]?.answer(rowsFrom(300, 101), '101');
    expect(list.current()?.id).toBe(50);
  });

  test('is that of the whole list, also if it is requested twice', async () => {
    const { list, loads } = await loaded(rowsFrom(500, 301), '301');
    list.toLast();
    list.toLast();
    expect(state(list).index).toBe(0);
    await loads[0]?.answer(rowsFrom(300, 101));
    expect(list.current()?.id).toBe(101);
  });
});

test('only pages of the last filter and the newest refresh are shown, and reach the callback', async () => {
  const used: string[] = [];
  const { list, loads } = heldList({
    onPage: ({ rows, nextCursor }) => used.push(`${rows[0]?.id} to ${nextCursor}`),
  });
  void list.reload();
  void list.reload();
  await loads[1]?.answer(rowsFrom(500, 301), '301');
  await loads[0]?.answer(rowsFrom(9, 9));
  expect(used).toEqual(['500 to 301']);
  expect(state(list).rows).toEqual(rowsFrom(500, 301));
  list.move(1);
  await loads[2]?.answer(rowsFrom(300, 101));
  const refreshes = [list.refresh(), list.refresh()];
  await loads[4]?.answer(rowsFrom(501, 302), '302');
  await loads[3]?.answer(rowsFrom(500, 301), '301');
  await Promise.all(refreshes);
  expect(used).toEqual(['500 to 301', '300 to null', '501 to 302']);
  expect(state(list).rows).toEqual(rowsFrom(501, 101));
});

describe('a list that is filtered during typing', () => {
  test('loads once, with the last text', async () => {
    const { list, loads } = await loaded(rowsFrom(500, 301), '301');
    const refreshed = list.refresh();
    const typed = [list.reload(1), list.reload(1), list.reload(1)];
    // The load under way belongs to the old filter.
    await loads[0]?.answer(rowsFrom(501, 302), '302');
    expect(state(list)).toMatchObject({ phase: 'loading', rows: rowsFrom(500, 301) });
    void list.refresh();
    await expect.poll(() => loads.length).toBe(2);
    await loads[1]?.answer(rowsFrom(50, 41));
    await Promise.all([refreshed, ...typed]);
    expect(state(list).rows).toEqual(rowsFrom(50, 41));
    expect(loads).toHaveLength(3);
  });

  test('drops a delayed reload if an immediate one follows', async () => {
    const { list, loads } = heldList();
    const typed = list.reload(1);
    const wanted = list.reload();
    await loads[0]?.answer(rowsFrom(3, 1));
    await Promise.all([typed, wanted]);
    expect(loads).toHaveLength(1);
  });
});

describe('a list that is refreshed faster than it loads', () => {
  test('uses the first answer, then refreshes once for all requests in between', async () => {
    const { list, loads } = heldList();
    const found = list.reload().then(() => list.toKey(2));
    const refreshes = [list.refresh(), list.refresh()];
    expect(loads).toHaveLength(1);
    await loads[0]?.answer(rowsFrom(3, 1));
    await found;
    expect(state(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(3, 1) });
    expect(loads).toHaveLength(2);
    await loads[1]?.answer(rowsFrom(4, 1));
    await Promise.all(refreshes);
    expect(state(list).rows).toEqual(rowsFrom(4, 1));
    expect(list.current()?.id).toBe(2);
  });

  test('loads again for them if the first load failed', async () => {
    const { list, loads } = heldList();
    const refreshes = [list.refresh(), list.refresh()];
    await loads[0]?.refuse('The service is away.');
    expect(loads).toHaveLength(2);
    await loads[1]?.answer(rowsFrom(3, 1));
    await Promise.all(refreshes);
    expect(state(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(3, 1) });
  });
});

const before: ListWindow = { top: 20, index: 25, key: 'a' };
test.each<[what: string, from: ListWindow, index: number, key: string, total: number, top: number]>([
  ['stays in place when rows are added above it', before, 28, 'a', 1_000, 23],
  ['shows rows added at the top while it shows the first', { top: 0, index: 0, key: 'a' }, 1, 'a', 1_000, 0],
  ['keeps two rows below the cursor', before, 28, 'b', 1_000, 21],
  ['keeps two rows above the cursor', before, 21, 'b', 1_000, 19],
  ['ends with a list that has become short', { top: 990, index: 999, key: 'a' }, 5, 'b', 6, 0],
  ['ends with a long list', before, 999, 'z', 1_000, 990],
])('the visible part of a list %s', (_what, from, index, key, total, top) => {
  expect(scrollWindow(from, index, key, total, 10)).toEqual({ top, index, key });
});
