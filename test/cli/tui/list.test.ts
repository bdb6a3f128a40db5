import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { moveList } from '../../../cli/tui/list/move.ts';
import { positionOf } from '../../../cli/tui/list/position.ts';
import { type ListWindow, scrollWindow } from '../../../cli/tui/list/window.ts';
import { createThread } from '../../../cli/tui/screens/conversations/thread.ts';
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
    ['list.down', 51],
    ['list.up', 49],
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
    ['all the same rows', rowsFrom(5, 1), null, [fifth, ...rest]],
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

  test('keeps all rows of the time at which the newest rows end, in any order', async () => {
    const known = [22, 21, 20, 15, 19, 11, 17, 9, 8].map((id) => ({ id, name: `row ${id}` }));
    const { list, loads } = await loadedList(known, '8', { timeOf: ({ id }) => Math.floor(id / 10) });
    void list.refresh();
    await loads[0]?.answer(known.slice(1, 5), '19');
    expect(stateOf(list).rows.map(({ id }) => id)).toEqual([21, 20, 15, 19, 11, 17, 9, 8]);
  });

  test.each<[what: string, timeOf: (row: Row) => number, first: readonly Row[]]>([
    ['rows of the same time', () => 0, rowsFrom(100, 91)],
    [
      'the old place of a row that has moved up',
      ({ id, name }) => (name === 'moved' ? 2_000 : id),
      [{ id: 85, name: 'moved' }, ...rowsFrom(100, 91)],
    ],
  ])('refreshes through %s', async (_what, timeOf, first) => {
    const { list, loads } = await loadedList(rowsFrom(85, 66), '66', { timeOf });
    void list.refresh();
    await loads[0]?.answer(first, '91');
    const second = rowsFrom(90, 81).filter(({ id }) => !first.some((row) => row.id === id));
    await loads[1]?.answer(second, '81');
    expect(loads.map(({ cursor }) => cursor)).toEqual([null, '91']);
    expect(stateOf(list).rows).toEqual([...first, ...second, ...rowsFrom(80, 66)]);
  });

  test('loads more rows before the cursor reaches the end', async () => {
    const list = listOver({ current: rowsFrom(3_000, 1) });
    await list.reload();
    list.move(150);
    await expect.poll(() => stateOf(list).rows.length).toBeGreaterThan(200);
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
    expect(list.current()?.id).toBe(190);
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

  test('shows the rows that are there in another order, from its top, while the others are loaded', async () => {
    const { list, loads, source } = await loadedList(rowsFrom(1_000, 901), '901');
    source.arrange = ascending;
    const sorted = list.rearrange();
    expect(list.current()?.id).toBe(901);
    await loads[0]?.answer(rowsFrom(900, 501), '501');
    expect(list.current()?.id).toBe(501);
    expect(stateOf(list).shown).toHaveLength(500);
    list.move(3);
    await loads[1]?.answer(rowsFrom(500, 1));
    await sorted;
    // Away from the top, the cursor stays on its row.
    expect(list.current()?.id).toBe(504);
    expect(positionOf(stateOf(list))).toBe('  504 of 1,000');
  });

  test('is sorted as a whole and keeps its cursor', async () => {
    const list = listOver({ current: rowsFrom(2_000, 1) }, ascending);
    await list.reload();
    expect(stateOf(list).shown[0]?.id).toBe(1);
    list.toKey(1_234);
    await list.refresh();
    expect(list.current()?.id).toBe(1_234);
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

/** Longer than the cursor must stay on a row before its details load. */
const restMs = 100;

describe('the details of an issue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open() {
    const { app, calls } = createHeldApp();
    const shown: IssueDetail[] = [];
    const details = issueDetail(app, (detail) => shown.push(detail));
    const issueCalls = () => calls.filter(({ id }) => id === 'issues.list');
    /** Answers the calls of a load. */
    const answer = async (load: number, title: string) => {
      await calls[load * 3]?.answer({ issues: [{ title }] });
      await calls[load * 3 + 1]?.answer({ links: [] });
      await calls[load * 3 + 2]?.answer({ comments: [], nextCursor: null });
    };
    return { details, shown, calls, issueCalls, answer };
  }

  test('do not load for a cursor that goes on at once', () => {
    const { details, calls } = open();
    details.show(7);
    details.hide();
    vi.advanceTimersByTime(restMs);
    expect(calls).toEqual([]);
  });

  test('load at once and only once on a refresh', async () => {
    const { details, shown, calls, answer } = open();
    details.show(7);
    const refreshed = details.refresh();
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(3);
    await answer(0, 'New title');
    await refreshed;
    expect(shown.at(-1)).toMatchObject({ issue: { title: 'New title' } });
  });

  test('ignore a late failure', async () => {
    const { details, shown, issueCalls, answer } = open();
    details.show(7);
    const refreshes = [details.refresh(), details.refresh()];
    await answer(1, 'New title');
    await issueCalls()[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(shown.at(-1)).toMatchObject({ error: '', issue: { title: 'New title' } });
  });
});

test('a thread ignores a late failure', async () => {
  const { app, calls } = createHeldApp();
  const thread = createThread(app);
  thread.show('conv_1');
  const refreshes = [thread.refresh(), thread.refresh()];
  // Each refresh loads the messages, then the comments.
  await calls[2]?.answer({ conversation: null, messages: [], issues: [] });
  await calls[3]?.answer({ comments: [] });
  await calls[0]?.refuse('The service was away.');
  await Promise.all(refreshes);
  expect(thread.store.get()).toMatchObject({ phase: 'ready', error: '' });
  thread.show(null);
});
