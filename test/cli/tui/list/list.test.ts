import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createList } from '../../../../cli/tui/list/list.ts';
import { positionOf } from '../../../../cli/tui/list/position.ts';
import type { Page } from '../../../../cli/tui/list/source.ts';
import {
  heldList,
  listOver,
  rowOrder as order,
  type Row,
  rowsFrom,
} from '../../../support/run/dashboard-here.ts';

describe('a list', () => {
  test('has no gap if more rows are new than fit on a page', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = listOver(rows);
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

  test('discards the known rows if far more are new', async () => {
    const rows = { current: rowsFrom(500, 1) };
    const list = listOver(rows);
    await list.reload();
    rows.current = rowsFrom(20_000, 1);
    await list.refresh();
    expect(list.store.get().rows).toEqual(rowsFrom(20_000, 18_001));
    await list.loadAll();
    expect(list.store.get().rows).toEqual(rows.current);
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
    expect(list.store.get().marks.has(520)).toBe(true);
    list.remove(470);
    expect(list.current()?.id).toBe(469);
  });

  test('goes to its end and back', async () => {
    const list = listOver({ current: rowsFrom(10_000, 1) });
    await list.reload();
    await list.loadAll();
    list.toLast();
    expect(list.current()?.id).toBe(1);
    expect(list.store.get().shown).toHaveLength(10_000);
    list.toFirst();
    expect(list.current()?.id).toBe(10_000);
    expect(new Set(list.store.get().rows.map(({ id }) => id)).size).toBe(10_000);
  });

  test('loads more rows before the cursor reaches the end', async () => {
    const list = listOver({ current: rowsFrom(3_000, 1) });
    await list.reload();
    list.move(150);
    await expect.poll(() => list.store.get().rows.length).toBeGreaterThan(200);
    expect(list.current()?.id).toBe(2_850);
  });

  test('holds keys that go beyond the loaded rows until these are there', async () => {
    const { list, loads } = heldList();
    void list.reload();
    await loads[0]?.answer(rowsFrom(1_000, 801), '801');
    list.move(199);
    list.move(300);
    list.move(-1);
    // The last loaded row.
    expect(list.current()?.id).toBe(801);
    await loads[1]?.answer(rowsFrom(800, 601), '601');
    expect(list.current()?.id).toBe(601);
    await loads[2]?.answer(rowsFrom(600, 401), '401');
    expect(list.current()?.id).toBe(502);
    expect(list.store.get().wanted).toBe(null);
  });

  test('forgets such keys if the rows cannot be loaded, or end before', async () => {
    const { list, loads } = heldList();
    void list.reload();
    await loads[0]?.answer(rowsFrom(300, 201), '201');
    list.move(150);
    await loads[1]?.refuse('The database is unavailable.');
    expect(list.store.get()).toMatchObject({
      index: 99,
      wanted: null,
      error: 'The database is unavailable.',
    });
    list.move(150);
    await loads[2]?.answer(rowsFrom(200, 190));
    expect(list.current()?.id).toBe(190);
    list.move(-1);
    expect(list.current()?.id).toBe(191);
  });

  test('goes to the true end row by row as they arrive, until another key stops it', async () => {
    const { list, loads } = heldList();
    void list.reload();
    await loads[0]?.answer(rowsFrom(9_000, 8_801), '8801');
    list.toLast();
    expect(list.store.get().isLoadingAll).toBe(true);
    await loads[1]?.answer(rowsFrom(8_800, 8_001), '8001');
    expect(list.current()?.id).toBe(8_001);
    list.move(-1);
    await loads[2]?.answer(rowsFrom(8_000, 1));
    expect(list.current()?.id).toBe(8_002);
    list.toLast();
    expect(list.current()?.id).toBe(1);
  });

  test('shows the rows that are there in another order, from its top, while the others are loaded', async () => {
    const { list, loads, source } = heldList();
    void list.reload();
    await loads[0]?.answer(rowsFrom(1_000, 901), '901');
    source.arrange = (rows) => rows.toSorted((one, other) => one.id - other.id);
    const sorted = list.rearrange();
    expect(list.current()?.id).toBe(901);
    await loads[1]?.answer(rowsFrom(900, 501), '501');
    expect(list.current()?.id).toBe(501);
    expect(list.store.get().shown).toHaveLength(500);
    list.move(3);
    await loads[2]?.answer(rowsFrom(500, 1));
    await sorted;
    // Away from the top, the cursor stays on its row.
    expect(list.current()?.id).toBe(504);
    expect(positionOf(list.store.get())).toBe('  504 of 1,000');
  });

  test('is sorted as a whole and keeps its cursor', async () => {
    const list = listOver({ current: rowsFrom(2_000, 1) }, (rows) =>
      rows.toSorted((one, other) => one.id - other.id),
    );
    await list.reload();
    expect(list.store.get().shown[0]?.id).toBe(1);
    list.toKey(1_234);
    await list.refresh();
    expect(list.current()?.id).toBe(1_234);
  });

  test('shows only the rows of the last filter, in any order of answers', async () => {
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

  test('resolves a reload when its rows are there, also with refreshes in between', async () => {
    const answers: ((page: Page<Row>) => void)[] = [];
    const list = createList<Row>({
      ...order,
      explain: String,
      now: () => 0,
      load: () => new Promise((resolve) => answers.push(resolve)),
    });
    const found = list.reload().then(() => list.toKey(2));
    const refreshed = [list.refresh(), list.refresh()];
    expect(answers).toHaveLength(1);
    answers[0]?.({ rows: rowsFrom(3, 1), nextCursor: null });
    await found;
    expect(list.current()?.id).toBe(2);
    // One request for both refreshes.
    await setImmediate();
    expect(answers).toHaveLength(2);
    answers[1]?.({ rows: rowsFrom(4, 1), nextCursor: null });
    await Promise.all(refreshed);
    expect(list.store.get().rows).toHaveLength(4);
    expect(list.current()?.id).toBe(2);
  });

  test('ignores late answers of refreshes', async () => {
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
    const refreshes = [list.refresh(), list.refresh(), list.refresh()];
    answers[2]?.({ rows: rowsFrom(3, 1), nextCursor: null });
    await refreshes[1];
    answers[1]?.({ rows: rowsFrom(2, 1), nextCursor: null });
    await refreshes[0];
    expect(list.store.get().rows).toHaveLength(3);
    answers[3]?.({ rows: rowsFrom(4, 1), nextCursor: null });
    await refreshes[2];
    expect(list.store.get().rows).toHaveLength(4);
  });

  test('shows why a refresh failed and keeps its rows', async () => {
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

  test('shows no rows of the old filter if the new one is refused', async () => {
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
