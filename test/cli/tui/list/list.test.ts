import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../../cli/tui/app.ts';
import { createList, type List } from '../../../../cli/tui/list/list.ts';
import { changedKeys, isTop, mergeTop } from '../../../../cli/tui/list/merge.ts';
import type { Page } from '../../../../cli/tui/list/source.ts';
import { readTop } from '../../../../cli/tui/list/top.ts';
import { follow } from '../../../../cli/tui/list/window.ts';
import { withSelectedRow } from '../../../../cli/tui/screens/with-selected-row.ts';

interface Row {
  readonly id: number;
  readonly name: string;
}

const order = { keyOf: ({ id }: Row) => id, timeOf: ({ id }: Row) => id };
const rowsFrom = (from: number, to: number): Row[] =>
  Array.from({ length: from - to + 1 }, (_, at) => ({ id: from - at, name: `row ${from - at}` }));

describe('the top of a list, read anew', () => {
  test('adds what is new, drops what is gone and keeps what is behind', () => {
    const known = rowsFrom(10, 1);
    const fresh = [{ id: 11, name: 'new' }, ...rowsFrom(10, 6).filter(({ id }) => id !== 8)];
    expect(mergeTop(known, fresh, false, order).map(({ id }) => id)).toEqual([
      11, 10, 9, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(mergeTop(known, fresh, true, order).map(({ id }) => id)).toEqual([11, 10, 9, 7, 6]);
  });

  test('says which rows are not as they were', () => {
    const known = rowsFrom(3, 1);
    const fresh = [{ id: 4, name: 'new' }, { id: 3, name: 'another' }, ...rowsFrom(2, 1)];
    expect(changedKeys(known, fresh, order.keyOf)).toEqual([4, 3]);
  });

  test('loses no row of the time at which it ends, in whatever order the service has those', () => {
    const hourly = { ...order, timeOf: ({ id }: Row) => Math.floor(id / 10) };
    const known = [
      ...rowsFrom(22, 20),
      ...[15, 19, 11, 17].map((id) => ({ id, name: `row ${id}` })),
      ...rowsFrom(9, 8),
    ];
    const fresh = known.slice(1, 5);
    expect(mergeTop(known, fresh, false, hourly).map(({ id }) => id)).toEqual([21, 20, 15, 19, 11, 17, 9, 8]);
  });

  test('is as it was only where its rows are the same, in the same order, and all are there', () => {
    const known = rowsFrom(5, 1);
    const isAsItWas = (fresh: readonly Row[], isAll: boolean) =>
      isTop(known, fresh, isAll, changedKeys(known, fresh, order.keyOf), order.keyOf);
    expect(isAsItWas(rowsFrom(5, 3), false)).toBe(true);
    expect(isAsItWas(rowsFrom(5, 1), true)).toBe(true);
    expect(isAsItWas(rowsFrom(5, 3), true)).toBe(false);
    expect(isAsItWas(rowsFrom(6, 4), false)).toBe(false);
    expect(isAsItWas(rowsFrom(5, 3).reverse(), false)).toBe(false);
    expect(isAsItWas([{ id: 5, name: 'another' }, ...rowsFrom(4, 3)], false)).toBe(false);
    expect(isAsItWas(rowsFrom(5, 0), false)).toBe(false);
  });
});

describe('reading the top of a list', () => {
  /** Pages of so many rows of a service that has those, and how many of them were read. */
  function pagesOf(rows: readonly Row[], timeOf: (row: Row) => number = order.timeOf) {
    const asked: (string | null)[] = [];
    const load = async (cursor: string | null, limit: number): Promise<Page<Row>> => {
      asked.push(cursor);
      const from = Number(cursor ?? 0);
      const isLast = from + limit >= rows.length;
      return { rows: rows.slice(from, from + limit), nextCursor: isLast ? null : String(from + limit) };
    };
    return { asked, source: { load, keyOf: order.keyOf, timeOf } };
  }

  test('goes down to the row that was the first, or to where it would be', async () => {
    const { asked, source } = pagesOf(rowsFrom(1_000, 1));
    const [first] = rowsFrom(955, 955);
    expect(await readTop(source, first, 10)).toMatchObject({ nextCursor: '50', isJoined: true });
    expect(asked).toHaveLength(5);
    const without = pagesOf(rowsFrom(1_000, 1).filter(({ id }) => id !== 955));
    expect(await readTop(without.source, first, 10)).toMatchObject({ nextCursor: '50', isJoined: true });
  });

  test('reads a page where there was no row', async () => {
    const { asked, source } = pagesOf(rowsFrom(1_000, 1));
    expect(await readTop(source, undefined, 10)).toMatchObject({ nextCursor: '10', isJoined: true });
    expect(asked).toHaveLength(1);
  });

  test('reads all rows of a time down to the one that was the first', async () => {
    const { source } = pagesOf(rowsFrom(100, 1), () => 0);
    const [first] = rowsFrom(85, 85);
    expect(await readTop(source, first, 10)).toMatchObject({ nextCursor: '20', isJoined: true });
  });

  test('goes down to the place that a row had, not to where it has come', async () => {
    const timeOf = ({ id, name }: Row) => (name === 'moved' ? 2_000 : id);
    const { source } = pagesOf(
      [{ id: 955, name: 'moved' }, ...rowsFrom(1_000, 956), ...rowsFrom(954, 1)],
      timeOf,
    );
    const [first] = rowsFrom(955, 955);
    expect(await readTop(source, first, 10)).toMatchObject({ nextCursor: '50', isJoined: true });
  });

  test('gives up where far more came than can be read at a look', async () => {
    const { asked, source } = pagesOf(rowsFrom(10_000, 1));
    const [first] = rowsFrom(1, 1);
    const top = await readTop(source, first, 200);
    expect(top).toMatchObject({ nextCursor: '2000', isJoined: false });
    expect(top.rows).toEqual(rowsFrom(10_000, 8_001));
    expect(asked).toHaveLength(10);
  });
});

describe('the part of a list that is seen', () => {
  const before = { top: 20, index: 25, key: 'a' };

  test('stays where it is when rows come in above it', () => {
    expect(follow(before, 28, 'a', 1000, 10)).toEqual({ top: 23, index: 28, key: 'a' });
  });

  test('shows what comes in at the top, as long as the cursor is in sight', () => {
    expect(follow({ top: 0, index: 0, key: 'a' }, 1, 'a', 1000, 10).top).toBe(0);
  });

  test('follows the cursor with two rows to spare', () => {
    expect(follow(before, 28, 'b', 1000, 10).top).toBe(21);
    expect(follow(before, 21, 'b', 1000, 10).top).toBe(19);
  });

  test('ends where the list ends', () => {
    expect(follow({ top: 990, index: 999, key: 'a' }, 5, 'b', 6, 10).top).toBe(0);
    expect(follow(before, 999, 'z', 1000, 10).top).toBe(990);
  });
});

/** A list over rows that a test changes, in pages as a service gives them. */
function over(
  rows: { current: Row[]; wrong?: string },
  arrange?: (rows: readonly Row[]) => readonly Row[],
): List<Row> {
  return createList<Row>({
    ...order,
    arrange,
    explain: String,
    now: () => 0,
    async load(cursor, limit): Promise<Page<Row>> {
      if (rows.wrong !== undefined) throw new Error(rows.wrong);
      const rest = rows.current.filter(({ id }) => cursor === null || id < Number(cursor));
      const page = rest.slice(0, limit);
      return { rows: page, nextCursor: rest.length > limit ? String(page.at(-1)?.id) : null };
    },
  });
}

describe('a list', () => {
  test('has no hole where more came between two looks than are read at once', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = over(rows);
    await list.reload();
    list.move(10);
    rows.current = rowsFrom(1_200, 1);
    await list.refresh();
    const { length } = list.store.get().rows;
    expect(list.store.get().rows).toEqual(rowsFrom(1_200, 1_201 - length));
    expect(list.current()?.id).toBe(490);
    list.toLast();
    await expect.poll(() => list.store.get().rows).toEqual(rowsFrom(1_200, 1));
  });

  test('begins anew where far more came than can be read at a look', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = over(rows);
    await list.reload();
    rows.current = rowsFrom(20_000, 1);
    await list.refresh();
    expect(list.store.get().rows).toEqual(rowsFrom(20_000, 18_001));
    await list.fill();
    expect(list.store.get().rows).toEqual(rows.current);
  });

  test('keeps its cursor on its row, whatever comes and goes', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = over(rows);
    await list.reload();
    list.move(30);
    expect(list.current()?.id).toBe(470);
    rows.current = [...rowsFrom(520, 480), ...rowsFrom(470, 1)];
    await list.refresh();
    expect(list.current()?.id).toBe(470);
    expect(list.store.get().marks.has(520)).toBe(true);
    list.remove(470);
    expect(list.current()?.id).toBe(469);
  });

  test('goes to its end, however many rows there are, and comes back', async () => {
    const list = over({ current: rowsFrom(10_000, 1) });
    await list.reload();
    await list.fill();
    list.toLast();
    expect(list.current()?.id).toBe(1);
    expect(list.store.get().shown).toHaveLength(10_000);
    list.toFirst();
    expect(list.current()?.id).toBe(10_000);
    expect(new Set(list.store.get().rows.map(({ id }) => id)).size).toBe(10_000);
  });

  test('loads more before one gets there', async () => {
    const list = over({ current: rowsFrom(3_000, 1) });
    await list.reload();
    list.move(150);
    await expect.poll(() => list.store.get().rows.length).toBeGreaterThan(200);
    expect(list.current()?.id).toBe(2_850);
  });

  test('is sorted as a whole, with the cursor on its row', async () => {
    const list = over({ current: rowsFrom(2_000, 1) }, (rows) =>
      rows.toSorted((one, other) => one.id - other.id),
    );
    await list.reload();
    expect(list.store.get().shown[0]?.id).toBe(1);
    list.toKey(1_234);
    await list.refresh();
    expect(list.current()?.id).toBe(1_234);
  });

  test('shows the rows of the last filter only, in whatever order the answers come', async () => {
    const answers: ((page: Page<Row>) => void)[] = [];
    const list = createList<Row>({
      ...order,
      explain: String,
      now: () => 0,
      load: () => new Promise((resolve) => answers.push(resolve)),
    });
    const first = list.reload();
    const second = list.reload();
    answers[1]?.({ rows: rowsFrom(2, 1), nextCursor: null });
    answers[0]?.({ rows: rowsFrom(9, 1), nextCursor: null });
    await Promise.all([first, second]);
    expect(list.store.get().rows).toHaveLength(2);
  });

  test('has its rows for whoever waits for them, also where another look comes between', async () => {
    const answers: ((page: Page<Row>) => void)[] = [];
    const list = createList<Row>({
      ...order,
      explain: String,
      now: () => 0,
      load: () => new Promise((resolve) => answers.push(resolve)),
    });
    const found = list.reload().then(() => list.toKey(2));
    const between = [list.refresh(), list.refresh()];
    expect(answers).toHaveLength(1);
    answers[0]?.({ rows: rowsFrom(3, 1), nextCursor: null });
    await found;
    expect(list.current()?.id).toBe(2);
    // One more for both of them.
    await setImmediate();
    expect(answers).toHaveLength(2);
    answers[1]?.({ rows: rowsFrom(4, 1), nextCursor: null });
    await Promise.all(between);
    expect(list.store.get().rows).toHaveLength(4);
    expect(list.current()?.id).toBe(2);
  });

  test('shows nothing older than it has, in whatever order the answers of its looks come', async () => {
    const answers: ((page: Page<Row>) => void)[] = [];
    const list = createList<Row>({
      ...order,
      explain: String,
      now: () => 0,
      load: () => new Promise((resolve) => answers.push(resolve)),
    });
    const first = list.reload();
    answers[0]?.({ rows: rowsFrom(1, 1), nextCursor: null });
    await first;
    const looks = [list.refresh(), list.refresh(), list.refresh()];
    answers[2]?.({ rows: rowsFrom(3, 1), nextCursor: null });
    await looks[1];
    answers[1]?.({ rows: rowsFrom(2, 1), nextCursor: null });
    await looks[0];
    expect(list.store.get().rows).toHaveLength(3);
    answers[3]?.({ rows: rowsFrom(4, 1), nextCursor: null });
    await looks[2];
    expect(list.store.get().rows).toHaveLength(4);
  });

  test('says why it failed, and keeps what it had', async () => {
    let isDown = false;
    const list = createList<Row>({
      ...order,
      explain: (error) => (error as Error).message,
      now: () => 0,
      async load() {
        if (isDown) throw new Error('The database is unavailable.');
        return { rows: rowsFrom(3, 1), nextCursor: null };
      },
    });
    await list.reload();
    isDown = true;
    await list.refresh();
    expect(list.store.get()).toMatchObject({ phase: 'ready', error: 'The database is unavailable.' });
    expect(list.store.get().rows).toHaveLength(3);
  });

  test('shows no rows of another filter where the new one is refused', async () => {
    let filter = '';
    const list = createList<Row>({
      ...order,
      explain: (error) => (error as Error).message,
      now: () => 0,
      async load() {
        if (filter === 'event:foo') throw new Error('event must be one of: issue.created.');
        return { rows: rowsFrom(3, 1), nextCursor: 'more' };
      },
    });
    await list.reload();
    filter = 'event:foo';
    await list.reload();
    const nothing = { rows: [], shown: [], nextCursor: null };
    expect(list.store.get()).toMatchObject({
      ...nothing,
      phase: 'failed',
      error: 'event must be one of: issue.created.',
    });
    filter = '';
    await list.refresh();
    expect(list.store.get()).toMatchObject({ phase: 'ready', error: '' });
    expect(list.store.get().shown).toHaveLength(3);
  });
});

describe('something to do to the row under the cursor', () => {
  /** A screen of its own, and what it says. */
  function appWith(said: string[]): App {
    const layer = {};
    return { layer: () => layer, say: (text: string) => said.push(text) } as unknown as App;
  }

  test('waits for the first rows', async () => {
    const list = over({ current: rowsFrom(3, 1) });
    const done: number[] = [];
    await withSelectedRow(appWith([]), list, 'None.', ({ id }) => done.push(id));
    expect(done).toEqual([3]);
  });

  test('says that there is none, or why that cannot be known', async () => {
    const rows: { current: Row[]; wrong?: string } = { current: [] };
    const list = over(rows);
    const said: string[] = [];
    await withSelectedRow(appWith(said), list, 'None.', () => expect.fail('there is no row'));
    rows.wrong = 'The database is away.';
    await withSelectedRow(appWith(said), list, 'None.', () => expect.fail('there is no row'));
    expect(said).toEqual(['None.', 'Error: The database is away.']);
  });
});
