import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createDashboardApp } from '../../../cli/tui/create-app.ts';
import { confirmDialog } from '../../../cli/tui/dialogs/confirm.tsx';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import type { App } from '../../../cli/tui/state/app.ts';
import {
  anyEventType,
  type Dialog,
  type Screen,
  type ScreenId,
  screenIds,
} from '../../../cli/tui/state/screen-types.ts';
import { silentAccess } from '../../support/run/dashboard.tsx';
import { heldList, loadedList, rowsFrom, stateOf } from '../../support/run/dashboard-here.ts';

describe('a late page', () => {
  test('leaves no gap if the list has replaced its rows', async () => {
    const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
    list.move(1);
    void list.refresh();
    expect(loads.map(({ cursor }) => cursor)).toEqual(['301', null]);
    // More rows are new than one refresh loads.
    for (let page = 0; page < 10; page += 1) {
      const first = 20_000 - page * 200;
      await loads[1 + page]?.answer(rowsFrom(first, first - 199), String(first - 199));
    }
    expect(stateOf(list).nextCursor).toBe('18001');
    await loads[0]?.answer(rowsFrom(300, 101), '101');
    expect(stateOf(list)).toMatchObject({ nextCursor: '18001', rows: rowsFrom(20_000, 18_001) });
  });

  test('does not show its failure above the rows of another filter, nor stop the loading of all of them', async () => {
    const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
    list.move(1);
    void list.reload();
    const [late, first] = loads.splice(0);
    await first?.answer(rowsFrom(50, 41), '41');
    const filled = list.loadAll();
    await late?.refuse('The old filter was too slow.');
    expect(stateOf(list)).toMatchObject({ phase: 'ready', error: '' });
    await loads[0]?.answer(rowsFrom(40, 31), '31');
    await loads[1]?.answer(rowsFrom(30, 21));
    await filled;
    expect(stateOf(list)).toMatchObject({ error: '', isLoadingAll: false, rows: rowsFrom(50, 21) });
  });

  test('is not requested during a reload, because it would belong to another filter', async () => {
    const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
    void list.reload();
    list.move(10);
    void list.loadAll();
    expect(loads.map(({ cursor }) => cursor)).toEqual([null]);
  });
});

describe('a late answer to a refresh', () => {
  test('shows no failure above newer rows, and waits for a reload in between', async () => {
    const { list, loads } = await loadedList(rowsFrom(1, 1));
    const refreshes = [list.refresh(), list.refresh()];
    await loads[1]?.answer(rowsFrom(2, 1));
    await loads[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(stateOf(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
    let isDone = false;
    void list.refresh().then(() => {
      isDone = true;
    });
    void list.reload();
    await loads[2]?.refuse('The service was away.');
    expect(isDone).toBe(false);
    await loads[3]?.answer(rowsFrom(3, 1));
    expect(isDone).toBe(true);
    expect(stateOf(list)).toMatchObject({ error: '', rows: rowsFrom(3, 1) });
  });
});

describe('the last row', () => {
  test('is not selected if the list was reloaded in the meantime', async () => {
    const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
    list.toLast();
    void list.reload();
    await loads[1]?.answer(rowsFrom(50, 1));
    await loads[0]?.answer(rowsFrom(300, 101), '101');
    expect(list.current()?.id).toBe(50);
  });

  test('is that of the whole list, also if it is requested twice', async () => {
    const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
    list.toLast();
    list.toLast();
    expect(stateOf(list).index).toBe(0);
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
  expect(stateOf(list).rows).toEqual(rowsFrom(500, 301));
  const refreshes = [list.refresh(), list.refresh()];
  await loads[3]?.answer(rowsFrom(501, 302), '302');
  await loads[2]?.answer(rowsFrom(500, 301), '301');
  await Promise.all(refreshes);
  expect(used).toEqual(['500 to 301', '501 to 302']);
  expect(stateOf(list).rows).toEqual(rowsFrom(501, 301));
});

test('a list that is filtered during typing loads once, with the last text', async () => {
  const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
  const refreshed = list.refresh();
  const typed = [list.reload(1), list.reload(1), list.reload(1)];
  // The load under way belongs to the old filter.
  await loads[0]?.answer(rowsFrom(501, 302), '302');
  expect(stateOf(list)).toMatchObject({ phase: 'loading', rows: rowsFrom(500, 301) });
  void list.refresh();
  await expect.poll(() => loads.length).toBe(2);
  await loads[1]?.answer(rowsFrom(50, 41));
  await Promise.all([refreshed, ...typed]);
  expect(stateOf(list).rows).toEqual(rowsFrom(50, 41));
  expect(loads).toHaveLength(3);
});

test.each(['succeeds', 'fails'])(
  'a list that is refreshed before its first load, which %s, refreshes once for all requests in between',
  async (end) => {
    const { list, loads } = heldList();
    const reloaded = list.reload();
    const refreshes = [list.refresh(), list.refresh()];
    expect(loads).toHaveLength(1);
    if (end === 'succeeds') await loads[0]?.answer(rowsFrom(3, 1));
    else await loads[0]?.refuse('The service is away.');
    expect(stateOf(list).rows).toEqual(end === 'succeeds' ? rowsFrom(3, 1) : []);
    expect(loads).toHaveLength(2);
    await loads[1]?.answer(rowsFrom(4, 1));
    await Promise.all([reloaded, ...refreshes]);
    expect(stateOf(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(4, 1) });
  },
);

describe('the dashboard with a slow service', () => {
  /** Opens a dashboard whose screens report their loads, which the test ends. */
  function open(perform: Screen['perform'] = () => {}) {
    const loads: { readonly id: ScreenId; readonly done: () => Promise<void> }[] = [];
    const screen = (id: ScreenId): Screen => ({
      id,
      title: id,
      chain: () => (id === 'usage' ? 'usage' : 'issues'),
      perform,
      back: () => false,
      isAffectedBy: (type) => type === 'issue.created',
      refresh() {
        const { promise, resolve } = Promise.withResolvers<void>();
        const done = () => {
          resolve();
          return setImmediate();
        };
        loads.push({ id, done });
        return promise;
      },
      View: () => null,
    });
    const screens = Object.fromEntries(screenIds.map((id) => [id, screen(id)]));
    const app: App = createDashboardApp(
      {
        access: silentAccess,
        keymap: createKeymap(),
        readOnly: false,
        target: 'local',
        onQuit: () => {},
        onRedraw: () => {},
      },
      () => screens as Record<ScreenId, Screen>,
    );
    const happen = () => app.onEvents([{ type: anyEventType, id: null }]);
    return { app, loads, happen, ids: () => loads.map(({ id }) => id) };
  }

  test('runs one refresh of a screen at a time, and one more for all events in between', async () => {
    const { app, loads, happen, ids } = open();
    app.goTo('issues');
    for (let time = 0; time < 5; time += 1) happen();
    expect(ids()).toEqual(['issues']);
    await loads[0]?.done();
    expect(ids()).toEqual(['issues', 'issues']);
    await loads[1]?.done();
    expect(ids()).toEqual(['issues', 'issues']);
    happen();
    expect(ids()).toEqual(['issues', 'issues', 'issues']);
  });

  test('does not wait for another screen, and does not refresh a screen that the user has left', async () => {
    const { app, loads, happen, ids } = open();
    app.goTo('issues');
    happen();
    app.goTo('audit');
    expect(ids()).toEqual(['issues', 'audit']);
    await loads[0]?.done();
    expect(ids()).toEqual(['issues', 'audit']);
    app.goTo('issues');
    expect(ids()).toEqual(['issues', 'audit', 'issues']);
  });

  test('gives the keys that are pressed while a dialog loads to the dialog, and none to the list', async () => {
    const seen: string[] = [];
    const dialog: Dialog = {
      title: () => 'Edit',
      chain: () => 'form',
      rows: () => 1,
      write: (text) => seen.push(text),
      perform: (action) => seen.push(action),
      View: () => null,
    };
    let load: () => Promise<void> = () => Promise.reject(new Error('It is gone.'));
    const { app } = open((action) => {
      if (action === 'issues.edit') void app.openAfter(load, () => app.open(dialog));
      else seen.push(`list: ${action}`);
    });
    const press = (...keys: string[]) => {
      for (const key of keys) app.press(key.length === 1 ? { key, text: key } : { key });
    };
    app.goTo('issues');
    press('e', 's');
    await setImmediate();
    expect(app.store.get()).toMatchObject({ isOpening: false, message: { text: 'It is gone.' } });
    press('s');
    expect(seen.splice(0)).toEqual(['list: issues.status']);

    load = () => setImmediate();
    press('e', 'D', 'q');
    app.paste('pasted');
    press('tab', 'j');
    expect(app.store.get().isOpening).toBe(true);
    await expect.poll(() => app.store.get()).toMatchObject({ isOpening: false, dialogs: [dialog] });
    expect(seen).toEqual(['D', 'q', 'pasted', 'form.next', 'j']);
  });

  test('answers no question with keys that were pressed before it could be read', async () => {
    const { app } = open();
    app.goTo('issues');
    let isDone = false;
    const question = confirmDialog(app, 'Delete it?', () => {
      isDone = true;
    });
    const opened = app.openAfter(setImmediate, () => app.open(question));
    app.press({ key: 'y', text: 'y' });
    await opened;
    expect(app.layer().chain()).toBe('confirm');
    expect(isDone).toBe(false);
  });
});
