import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { App } from '../../../cli/tui/app.ts';
import { createDashboardApp } from '../../../cli/tui/create-app.ts';
import { createKeymap } from '../../../cli/tui/keys/keymap.ts';
import { everything, type Screen, type ScreenId, screenIds } from '../../../cli/tui/screen-types.ts';

describe('the dashboard of a slow service', () => {
  /** A dashboard whose screens tell when they load, and have loaded when the test says so. */
  function open() {
    const loads: { readonly id: ScreenId; readonly done: () => Promise<void> }[] = [];
    const screen = (id: ScreenId): Screen => ({
      id,
      title: id,
      chain: () => (id === 'usage' ? 'usage' : 'issues'),
      perform: () => {},
      back: () => false,
      minds: (type) => type === 'issue.created',
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
        access: { call: () => Promise.reject(new Error('Nothing is called.')) },
        keymap: createKeymap(),
        readOnly: false,
        where: 'local',
        onQuit: () => {},
        onRedraw: () => {},
      },
      () => screens as Record<ScreenId, Screen>,
    );
    const happen = () => app.happened([{ type: everything, id: null }]);
    return { app, loads, happen, ids: () => loads.map(({ id }) => id) };
  }

  test('loads a screen once at a time, and once more for all that happened meanwhile', async () => {
    const { app, loads, happen, ids } = open();
    app.go('issues');
    for (let time = 0; time < 5; time += 1) happen();
    expect(ids()).toEqual(['issues']);
    await loads[0]?.done();
    expect(ids()).toEqual(['issues', 'issues']);
    await loads[1]?.done();
    expect(ids()).toEqual(['issues', 'issues']);
    happen();
    expect(ids()).toEqual(['issues', 'issues', 'issues']);
  });

  test('does not wait for another screen, and loads none that somebody has left', async () => {
    const { app, loads, happen, ids } = open();
    app.go('issues');
    happen();
    app.go('audit');
    expect(ids()).toEqual(['issues', 'audit']);
    await loads[0]?.done();
    expect(ids()).toEqual(['issues', 'audit']);
    app.go('issues');
    expect(ids()).toEqual(['issues', 'audit', 'issues']);
  });
});
