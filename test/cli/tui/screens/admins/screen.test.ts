import { describe, expect, test } from 'vitest';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';

describe('the admins screen', () => {
  const tests = dashboardHere();

  test('creates an admin with a hidden password, changes it and deletes it', async () => {
    const dashboard = tests.open();
    dashboard.press('5');
    await dashboard.shows('grace@example.com');
    dashboard.press('n');
    dashboard.write('eve@example.com');
    dashboard.press('enter', 'enter', 'right', 'enter');
    dashboard.write('correct horse');
    dashboard.press('enter');
    dashboard.write('wrong horse');
    dashboard.press('enter');
    expect(await dashboard.shows('✗ The passwords do not match.')).not.toContain('horse');
    dashboard.press('ctrl+u');
    dashboard.write('correct horse');
    dashboard.press('enter');
    await dashboard.shows(/❯ . eve@example\.com +eve +superadmin/);
    dashboard.press('r', '3', 'enter');
    await dashboard.shows(/❯ . eve@example\.com +eve +user/);
    dashboard.press('a');
    await dashboard.shows('Deactivate user eve@example.com?');
    dashboard.press('y');
    await dashboard.shows(/❯ . eve@example\.com +eve +user +✗ no/);
    dashboard.press('D');
    await dashboard.shows(/Delete user eve@example\.com \(admin_\w+\)\?/);
    dashboard.press('y');
    await dashboard.shows('✓ Deleted eve@example.com.');
  });

  test('ignores a late answer, also for the count above the list', async () => {
    const { dashboard, held } = tests.openHolding('admins.list');
    dashboard.press('5');
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.();
    const before = Number(/(\d+) admins?/.exec(await dashboard.shows(/\d+ admins?/))?.[1]);
    const refreshes = [dashboard.app.screens.admins.refresh()];
    await expect.poll(() => held.length).toBe(2);
    await tests.service.signIn('admin', 'late@example.com');
    refreshes.push(dashboard.app.screens.admins.refresh());
    await expect.poll(() => held.length).toBe(3);
    await held[2]?.();
    await refreshes[1];
    await held[1]?.();
    await Promise.all(refreshes);
    dashboard.resize(100, 30);
    expect(await dashboard.shows('late@example.com')).toContain(`${before + 1} admins`);
  });
});
