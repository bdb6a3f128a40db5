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
import {
  ascending,
  type HeldLoad,
  heldList,
  loadedList,
  rowsFrom,
  stateOf,
} from '../../support/run/dashboard-here.ts';

/** Returns a list that was filtered while `late`, the second page of the old filter, was still loading. */
async function filteredAgain() {
  const { list, loads } = await loadedList(rowsFrom(500, 301), '301');
  list.move(1);
  void list.reload();
  const [late, first] = loads.splice(0) as [HeldLoad, HeldLoad];
  await first.answer(rowsFrom(50, 41), '41');
  return { list, loads, late };
}

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
    const { list, loads, late } = await filteredAgain();
    const filled = list.loadAll();
    await late.refuse('The old filter was too slow.');
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
    const filled = list.loadAll();
    expect(loads).toHaveLength(1);
    await loads[0]?.answer(rowsFrom(50, 41), '41');
    await loads[1]?.answer(rowsFrom(40, 31));
    await filled;
    expect(stateOf(list).rows).toEqual(rowsFrom(50, 31));
  });
});

describe('a late answer to a refresh', () => {
  test('shows no failure above newer rows', async () => {
    const { list, loads } = await loadedList(rowsFrom(1, 1));
    const refreshes = [list.refresh(), list.refresh()];
    await loads[1]?.answer(rowsFrom(2, 1));
    await loads[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(stateOf(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
  });

  test('waits for a reload in between, also if the refresh fails', async () => {
    const { list, loads } = await loadedList(rowsFrom(1, 1));
    let isDone = false;
    void list.refresh().then(() => {
      isDone = true;
    });
    void list.reload();
    await loads[0]?.refuse('The service was away.');
    expect(isDone).toBe(false);
    await loads[1]?.answer(rowsFrom(2, 1));
    expect(isDone).toBe(true);
    expect(stateOf(list)).toMatchObject({ error: '', rows: rowsFrom(2, 1) });
  });

  test('loads a sorted list completely again after a gap', async () => {
    const { list, loads } = await loadedList(rowsFrom(2, 1), null, { arrange: ascending });
    void list.refresh();
    for (let page = 0; page < 10; page += 1) {
      const first = 2_200 - page * 200;
      await loads[page]?.answer(rowsFrom(first, first - 199), String(first - 199));
    }
    await loads[10]?.answer(rowsFrom(200, 1));
    expect(stateOf(list).shown).toEqual(rowsFrom(2_200, 1).reverse());
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
  list.move(1);
  await loads[2]?.answer(rowsFrom(300, 101));
  const refreshes = [list.refresh(), list.refresh()];
  await loads[4]?.answer(rowsFrom(501, 302), '302');
  await loads[3]?.answer(rowsFrom(500, 301), '301');
  await Promise.all(refreshes);
  expect(used).toEqual(['500 to 301', '300 to null', '501 to 302']);
  expect(stateOf(list).rows).toEqual(rowsFrom(501, 101));
});

describe('a list that is filtered during typing', () => {
  test('loads once, with the last text', async () => {
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
});

describe('a list that is refreshed faster than it loads', () => {
  test('uses the first answer, then refreshes once for all requests in between', async () => {
    const { list, loads } = heldList();
    const found = list.reload().then(() => list.toKey(2));
    const refreshes = [list.refresh(), list.refresh()];
    expect(loads).toHaveLength(1);
    await loads[0]?.answer(rowsFrom(3, 1));
    await found;
    expect(stateOf(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(3, 1) });
    expect(loads).toHaveLength(2);
    await loads[1]?.answer(rowsFrom(4, 1));
    await Promise.all(refreshes);
    expect(stateOf(list).rows).toEqual(rowsFrom(4, 1));
    expect(list.current()?.id).toBe(2);
  });

  test('loads again for them if the first load failed', async () => {
    const { list, loads } = heldList();
    const refreshes = [list.refresh(), list.refresh()];
    await loads[0]?.refuse('The service is away.');
    expect(loads).toHaveLength(2);
    await loads[1]?.answer(rowsFrom(3, 1));
    await Promise.all(refreshes);
    expect(stateOf(list)).toMatchObject({ phase: 'ready', rows: rowsFrom(3, 1) });
  });
});

describe('the dashboard with a slow service', () => {
  /** Opens a dashboard whose screens report their loads, which the test ends. */
  function open({ perform, onQuit = () => {} }: { perform?: Screen['perform']; onQuit?: () => void } = {}) {
    const loads: { readonly id: ScreenId; readonly done: () => Promise<void> }[] = [];
    const screen = (id: ScreenId): Screen => ({
      id,
      title: id,
      chain: () => (id === 'usage' ? 'usage' : 'issues'),
      perform: (action) => perform?.(action),
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
        access: { call: () => Promise.reject(new Error('No call expected.')) },
        keymap: createKeymap(),
        readOnly: false,
        target: 'local',
        onQuit,
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

  /** Opens a dashboard whose screen opens a dialog, on `e`, when the test answers. */
  function openSlowly() {
    const seen: string[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const quits: true[] = [];
    const { app } = open({
      perform(action) {
        if (action === 'issues.edit')
          void app.openAfter(
            () => promise,
            () => app.open(dialog),
          );
        else seen.push(`list: ${action}`);
      },
      onQuit: () => quits.push(true),
    });
    const dialog: Dialog = {
      title: () => 'Edit',
      chain: () => 'form',
      rows: () => 1,
      write: (text) => seen.push(text),
      perform(action) {
        seen.push(action);
        if (action === 'everywhere.back') app.close(dialog);
      },
      View: () => null,
    };
    const press = (...keys: string[]) => {
      for (const key of keys) app.press(key.length === 1 ? { key, text: key } : { key });
    };
    const answer = async (failure?: string) => {
      if (failure === undefined) resolve();
      else reject(new Error(failure));
      await setImmediate();
    };
    app.goTo('issues');
    return { app, seen, quits, press, answer, dialog };
  }

  test('gives the keys that are pressed while a dialog loads to the dialog, and none to the list', async () => {
    const { app, seen, quits, press, answer } = openSlowly();
    press('e', 'D', 'q');
    app.paste('pasted');
    press('ctrl+s', 'esc');
    expect(app.store.get().isOpening).toBe(false);
    await answer();
    expect(seen).toEqual([]);
    expect(app.store.get().dialogs).toEqual([]);

    const again = openSlowly();
    again.press('e', 'D', 'q');
    again.app.paste('pasted');
    again.press('tab', 'j');
    expect(again.app.store.get().isOpening).toBe(true);
    await again.answer();
    expect(again.seen).toEqual(['D', 'q', 'pasted', 'form.next', 'j']);
    expect(again.app.store.get()).toMatchObject({ isOpening: false, dialogs: [again.dialog] });
    expect([...quits, ...again.quits]).toEqual([]);
  });

  test('drops these keys if the dialog does not open, and quits on q and Ctrl-C', async () => {
    const failing = openSlowly();
    failing.press('e', 's');
    await failing.answer('It is gone.');
    expect(failing.seen).toEqual([]);
    expect(failing.app.store.get()).toMatchObject({ isOpening: false, message: { text: 'It is gone.' } });
    failing.press('s');
    expect(failing.seen).toEqual(['list: issues.status']);
    for (const key of ['q', 'ctrl+c']) {
      const { press, quits } = openSlowly();
      press('e', key);
      expect(quits).toHaveLength(1);
    }
  });

  test('answers no question with keys that were pressed before it could be read', async () => {
    const { app } = open();
    app.goTo('issues');
    let isDone = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const opened = app.openAfter(
      () => promise,
      () =>
        app.open(
          confirmDialog(app, 'Delete it?', () => {
            isDone = true;
          }),
        ),
    );
    app.press({ key: 'y', text: 'y' });
    resolve();
    await opened;
    expect(app.layer().chain()).toBe('confirm');
    expect(isDone).toBe(false);
  });
});
