import { describe, expect, test } from 'vitest';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the admins screen', () => {
  const tests = dashboardHere();

  const open = async () => {
    const dashboard = tests.open({ columns: 120 });
    await dashboard.after('5', 'grace@example.com');
    return dashboard;
  };

  test('creates an admin, whose role no key of a text changes', async () => {
    const dashboard = await open();
    await dashboard.after('n', '── New admin');
    await dashboard.after('"ada@example.com" tab "ada" tab backspace home ctrl+u', /Role.* admin/);
    dashboard.press('tab');
    dashboard.write('correct horse battery staple');
    dashboard.press('tab');
    dashboard.write('correct horse battery staple');
    await dashboard.after('ctrl+s', '✓ Created ada@example.com.');
    const { admins } = await tests.client.call('admins.list', { q: 'ada@example.com' });
    expect(admins[0]).toMatchObject({ username: 'ada', role: 'admin' });
  });
});
