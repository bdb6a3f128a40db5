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

  test('hides the password of a new admin, then changes its role, deactivates and deletes it', async () => {
    const dashboard = await open();
    await dashboard.after('n', '── New admin');
    const form = await dashboard.after(
      '"eve@example.com" tab "eve" tab left tab "correct horse" tab "wrong horse" enter',
      '✗ The passwords do not match.',
    );
    expect(form).not.toContain('horse');
    await dashboard.after('ctrl+u "correct horse" enter', /❯ .+ eve@example\.com +eve +superadmin +yes/);
    expect(dashboard.raw()).not.toContain('horse');
    await dashboard.after('r', /── Role of eve@example\.com[\s\S]*❯ superadmin/);
    await dashboard.after('G enter', '✓ eve@example.com is user now.');
    await dashboard.shows(/❯ .+ eve@example\.com +eve +user/);
    await dashboard.after('a', 'Deactivate eve@example.com and end its sessions?');
    await dashboard.after('y', /❯ .+ eve@example\.com +eve +user +no/);
    await dashboard.after('D', /Delete user eve@example\.com \(admin_\w+\)\?/);
    await dashboard.after('y', '✓ Deleted eve@example.com.');
    await dashboard.hides('eve@example.com  ');
  });

  test('edits an e-mail and says what somebody else has changed meanwhile', async () => {
    const user = await tests.service.signIn('user', 'zoe@example.com');
    const dashboard = await open();
    await dashboard.after('/ "zoe" enter', /❯ .+ zoe@example\.com/);
    await dashboard.after('e', '── Edit zoe@example.com');
    dashboard.write('x');
    await tests.client.call('admins.update', { id: user.id, email: 'zoe.b@example.com' });
    await dashboard.after('ctrl+s', /✗ Changed meanwhile: .* again replaces it with yours\./s);
    await dashboard.after('ctrl+s', '✓ Saved zoe@example.com.');
    await dashboard.shows('zoe@example.comx');
  });
});
