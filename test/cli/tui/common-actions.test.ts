import { beforeAll, describe, expect, test } from 'vitest';
import { dashboardHere } from '../../support/run/dashboard-here.ts';

describe('quitting the dashboard', () => {
  const tests = dashboardHere();

  beforeAll(async () => {
    await tests.client.call('issues.create', { title: 'An issue' });
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  test('asks before it quits if something is not saved', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('n');
    dashboard.write('Half a title');
    dashboard.press('esc', 'q');
    await dashboard.shows('The new issue is not saved. Discard it and quit?');
    dashboard.press('n');
    expect(dashboard.quits()).toBe(0);
    dashboard.press('n');
    expect(await dashboard.shows('Half a title')).toContain('Report an issue');
    dashboard.press('esc', 'ctrl+c', 'ctrl+c');
    expect(dashboard.quits()).toBe(1);
  });

  test('asks the same on Ctrl-C in another dialog', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    dashboard.press('n');
    dashboard.write('Half a title');
    dashboard.press('esc', '4');
    await dashboard.shows('site_name');
    dashboard.press('D');
    await dashboard.shows('── Confirm ');
    dashboard.press('ctrl+c');
    await dashboard.shows('The new issue is not saved. Discard it and quit?');
    expect(dashboard.quits()).toBe(0);
  });

  test('quits at once if everything is saved', async () => {
    const dashboard = tests.open();
    dashboard.press('q');
    expect(dashboard.quits()).toBe(1);
  });
});
