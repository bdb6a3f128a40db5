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
