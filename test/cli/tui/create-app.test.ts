import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createDashboardApp } from '../../../cli/tui/create-app.ts';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import type { App } from '../../../cli/tui/state/app.ts';
import { anyEventType, type Screen, type ScreenId, screenIds } from '../../../cli/tui/state/screen-types.ts';

describe('the dashboard with a slow service', () => {
  /** Opens a dashboard whose screens report their loads, which the test ends. */
  function open() {
    const loads: { readonly id: ScreenId; readonly done: () => Promise<void> }[] = [];
    const screen = (id: ScreenId): Screen => ({
      id,
      title: id,
      chain: () => (id === 'usage' ? 'usage' : 'issues'),
      perform: () => {},
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
});
