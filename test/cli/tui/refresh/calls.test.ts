import { beforeAll, describe, expect, test } from 'vitest';
import { BackofficeError } from '../../../../src/contract/errors.ts';
import { openDashboard } from '../../../support/run/dashboard.tsx';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('a read-only dashboard', () => {
  const tests = dashboardHere();

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

test('says how to sign in again when the token is no longer accepted, and keeps what is on the screen', async () => {
  let isAccepted = true;
  const issue = { id: 7, title: 'An issue', severity: 'Low', status: 'Open', category: 'Other' };
  const dashboard = openDashboard({
    call: async (id) => {
      if (!isAccepted) throw new BackofficeError({ code: 'unauthenticated', text: 'Unauthorized' });
      const times = { created_at: '2026-01-31T09:30:00.000Z', updated_at: '2026-01-31T09:30:00.000Z' };
      return (id === 'issues.list' ? { issues: [{ ...issue, ...times }] } : {}) as never;
    },
  });
  dashboard.app.refreshAll();
  await dashboard.shows('An issue');
  isAccepted = false;
  dashboard.app.refreshAll();
  await dashboard.shows(/✗ Signed out: Quit and run `backoffice login`/);
  await dashboard.app.screens.issues.refresh();
  expect(dashboard.frame()).toContain('An issue');
  expect(dashboard.frame()).not.toContain('No valid API token');
  isAccepted = true;
  dashboard.app.refreshAll();
  await dashboard.hides('✗ Signed out');
  dashboard.close();
});
