import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { moveList } from '../../../cli/tui/list/move.ts';
import { type ListWindow, scrollWindow } from '../../../cli/tui/list/window.ts';
import { type IssueDetail, issueDetail } from '../../../cli/tui/screens/issues/detail.ts';
import {
  ascending,
  createHeldApp,
  listOver,
  loadedList,
  type Row,
  rowsFrom,
  stateOf,
} from '../../support/run/dashboard-here.ts';

describe('a list', () => {
  test('has no gap if more rows are new than fit on a page', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = listOver(rows);
    await list.reload();
    list.move(10);
    rows.current = rowsFrom(1_200, 1);
    await list.refresh();
    expect(stateOf(list).rows).toEqual(rowsFrom(1_200, 1_201 - stateOf(list).rows.length));
    expect(list.current()?.id).toBe(490);
    list.toLast();
    await expect.poll(() => stateOf(list).rows).toEqual(rows.current);
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
    expect(stateOf(list).rows).toEqual(rows.current.filter(({ id }) => id > 100));
    expect(stateOf(list).marks.has(520)).toBe(true);
    list.remove(470);
    expect(list.current()?.id).toBe(469);
  });

  test.each([
    ['list.pageDown', 59],
    ['list.pageUp', 41],
    ['list.halfDown', 55],
    ['list.halfUp', 45],
    ['list.first', 0],
  ])('moves by the keys of %s to row %i', async (action, index) => {
    const list = listOver({ current: rowsFrom(500, 1) });
    await list.reload();
    list.pageRows = 10;
    list.move(50);
    expect(moveList(list, action)).toBe(true);
    expect(list.current()?.id).toBe(500 - index);
  });

  const [fifth, ...rest] = rowsFrom(5, 1);
  const renamed = { id: 5, name: 'another' };
  test.each<[what: string, fresh: readonly Row[], next: string | null, after: readonly (Row | undefined)[]]>([
    ['the same rows', rowsFrom(5, 3), '3', [fifth, ...rest]],
    ['fewer rows in all', rowsFrom(5, 3), null, rowsFrom(5, 3)],
    ['a new row', rowsFrom(6, 4), '4', rowsFrom(6, 1)],
    ['one row more at the end', rowsFrom(5, 0), null, rowsFrom(5, 0)],
    ['another order', ascending(rowsFrom(5, 3)), '5', [...ascending(rowsFrom(5, 3)), ...rowsFrom(2, 1)]],
    ['a changed row', [renamed, ...rowsFrom(4, 3)], '3', [renamed, ...rest]],
  ])('shows %s after a refresh, and marks what is new', async (what, fresh, next, after) => {
    const { list, loads } = await loadedList(rowsFrom(5, 1));
    const before = stateOf(list).rows;
    void list.refresh();
    await loads[0]?.answer(fresh, next);
    expect(stateOf(list).rows).toEqual(after);
    // The same array is not drawn again.
    expect(stateOf(list).rows === before).toBe(what.endsWith('the same rows'));
    const isNew = ({ id, name }: Row) => !before.some((row) => row.id === id && row.name === name);
    expect([...stateOf(list).marks.keys()]).toEqual(fresh.filter(isNew).map(({ id }) => id));
  });

  test('refreshes through the old place of a row that has moved up', async () => {
    const timeOf = ({ id, name }: Row) => (name === 'moved' ? 2_000 : id);
    const { list, loads } = await loadedList(rowsFrom(85, 66), '66', { timeOf });
    void list.refresh();
    const first = [{ id: 85, name: 'moved' }, ...rowsFrom(100, 91)];
    await loads[0]?.answer(first, '91');
    const second = rowsFrom(90, 81).filter(({ id }) => id !== 85);
    await loads[1]?.answer(second, '81');
    expect(loads.map(({ cursor }) => cursor)).toEqual([null, '91']);
    expect(stateOf(list).rows).toEqual([...first, ...second, ...rowsFrom(80, 66)]);
  });

  test('holds keys that go beyond the loaded rows until these are there', async () => {
    const { list, loads } = await loadedList(rowsFrom(1_000, 801), '801');
    list.move(199);
    list.move(300);
    list.move(-1);
    // The last loaded row.
    expect(list.current()?.id).toBe(801);
    await loads[0]?.answer(rowsFrom(800, 601), '601');
    expect(list.current()?.id).toBe(601);
    await loads[1]?.answer(rowsFrom(600, 401), '401');
    expect(list.current()?.id).toBe(502);
    expect(stateOf(list).wanted).toBe(null);
  });

  test('forgets such keys if the rows cannot be loaded, or end before', async () => {
    const { list, loads } = await loadedList(rowsFrom(300, 201), '201');
    list.move(150);
    await loads[0]?.refuse('The database is unavailable.');
    expect(stateOf(list)).toMatchObject({ index: 99, wanted: null, error: 'The database is unavailable.' });
    list.move(150);
    await loads[1]?.answer(rowsFrom(200, 190));
    list.move(-1);
    expect(list.current()?.id).toBe(191);
  });

  test('goes to the true end row by row as they arrive, until another key stops it', async () => {
    const { list, loads } = await loadedList(rowsFrom(9_000, 8_801), '8801');
    list.toLast();
    expect(stateOf(list).isLoadingAll).toBe(true);
    await loads[0]?.answer(rowsFrom(8_800, 8_001), '8001');
    expect(list.current()?.id).toBe(8_001);
    list.move(-1);
    await loads[1]?.answer(rowsFrom(8_000, 1));
    expect(list.current()?.id).toBe(8_002);
    list.toLast();
    expect(list.current()?.id).toBe(1);
  });

  test('shows why a refresh failed and keeps its rows, but none of an old filter if the new one is refused', async () => {
    const { list, loads } = await loadedList(rowsFrom(3, 1), '1');
    void list.refresh();
    await loads[0]?.refuse('The database is unavailable.');
    const failed = { phase: 'ready', error: 'The database is unavailable.', rows: rowsFrom(3, 1) };
    expect(stateOf(list)).toMatchObject(failed);
    void list.reload();
    await loads[1]?.refuse('event must be one of: issue.created.');
    const refused = { phase: 'failed', error: 'event must be one of: issue.created.' };
    expect(stateOf(list)).toMatchObject({ ...refused, rows: [], shown: [], nextCursor: null });
    void list.refresh();
    await loads[2]?.answer(rowsFrom(3, 1));
    expect(stateOf(list)).toMatchObject({ phase: 'ready', error: '', shown: rowsFrom(3, 1) });
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

describe('the details of an issue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('do not load for a cursor that goes on, load once on a refresh, and ignore a late failure', async () => {
    const { app, calls } = createHeldApp();
    const shown: IssueDetail[] = [];
    const details = issueDetail(app, (detail) => shown.push(detail));
    /** Waits longer than the cursor must stay on a row. Returns the loads until then. */
    const loads = () => {
      vi.advanceTimersByTime(100);
      return calls.filter(({ id }) => id === 'issues.list');
    };
    details.show(7);
    details.hide();
    expect(loads()).toEqual([]);
    details.show(7);
    const refreshes = [details.refresh(), details.refresh()];
    expect(loads()).toHaveLength(2);
    await calls[3]?.answer({ issues: [{ title: 'New title' }] });
    await calls[4]?.answer({ links: [] });
    await calls[5]?.answer({ comments: [], nextCursor: null });
    await calls[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(shown.at(-1)).toMatchObject({ error: '', issue: { title: 'New title' } });
  });
});
