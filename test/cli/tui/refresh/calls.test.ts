import { beforeAll, describe, expect, test } from 'vitest';
import { dashboardOfThisFile } from '../../../support/terminal/dashboard-of-this-file.ts';

describe('a read-only dashboard', () => {
  const tests = dashboardOfThisFile();

  beforeAll(async () => {
    await tests.client.call('issues.create', { title: 'An issue' });
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  test('refuses every change and says why', async () => {
    const dashboard = tests.open({ readOnly: true });
    await dashboard.shows(/❯.{3} *\d+ +/);
    expect(dashboard.frame()).toContain('read-only');
    expect(dashboard.frame()).not.toContain('s status');
    for (const [screen, keys] of Object.entries({
      1: ['s', 'n'],
      4: ['n', 'e', 'D'],
      5: ['n', 'r', 'a', 'D', 'p'],
    })) {
      for (const key of keys) {
        dashboard.press(screen, key);
        await dashboard.shows('✗ This dashboard is read-only');
        expect(dashboard.app.store.get().dialogs).toEqual([]);
        dashboard.press('esc');
        await dashboard.hides('✗ This dashboard');
      }
    }
    await expect(dashboard.app.call('settings.update', { key: 'a', value: 'b' })).rejects.toThrow(
      'read-only',
    );
  });
});
