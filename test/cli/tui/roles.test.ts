import { afterEach, describe, expect, test } from 'vitest';
import { NotConnectedError } from '../../../cli/errors.ts';
import type { Identity } from '../../../cli/tui/state/identity.ts';
import { BackofficeError } from '../../../src/contract/errors.ts';
import {
  type Dashboard,
  type DashboardOptions,
  openDashboard,
  silentAccess,
} from '../../support/run/dashboard.tsx';

const user: Identity = { email: 'grace@example.com', role: 'user', isReadOnly: false };

describe('through a server, the dashboard', () => {
  let dashboard: Dashboard;
  afterEach(() => dashboard.close());

  const open = (options: DashboardOptions = {}, access = silentAccess) => {
    dashboard = openDashboard(access, { target: 'staging', identity: user, ...options });
    return dashboard;
  };

  test('offers nothing that the role may not see or do, and says why where one looks for it', async () => {
    open();
    const [tabs = ''] = (await dashboard.shows('6 Usage')).split('\n');
    expect(tabs).not.toContain('Audit');
    dashboard.press('7');
    await dashboard.shows('✗ The audit screen: only for superadmins. You are a user.');
    expect(dashboard.app.store.get().screen).toBe('issues');
    dashboard.press('5');
    await dashboard.hides('The audit screen');
    expect(await dashboard.shows('p password')).not.toMatch(/n new|r role|D delete/);
    dashboard.press('n');
    await dashboard.shows('✗ Create an admin: only for superadmins and admins. You are a user.');
    dashboard.press(':');
    dashboard.write('create an admin');
    await dashboard.shows('No commands match.');
    dashboard.press('esc', '?', 'ctrl+end', 'ctrl+home');
    dashboard.resize(140, 120);
    const help = await dashboard.shows('Not available');
    expect(help).toContain('Change the role: only for superadmins. You are a user.');
    expect(help).not.toContain('Go to the audit trail');
    dashboard.press('esc', '6', 'tab');
    // The audit screen would come next.
    await dashboard.shows('▸0 Overview');
  });

  test('says who acts and where, at every width', async () => {
    open();
    await dashboard.shows(/^─+ grace@example\.com · user · staging ──$/m);
    dashboard.resize(140, 40);
    await dashboard.shows(/Usage +grace@example\.com · user · staging +$/m);
    dashboard.resize(40, 12);
    await dashboard.shows(/^─+ grace@… · user · staging ──$/m);
    dashboard.close();
    open({ target: 'a-very-long-name-of-a-context', columns: 40 });
    await dashboard.shows(/^─+ a-very-long-name-of-a-context ──$/m);
  });

  test('learns of its role when the server is back, and when a call is not allowed any more', async () => {
    const away = new NotConnectedError('Cannot reach the server.');
    const refused = new BackofficeError({ code: 'forbidden', text: 'Insufficient permissions.' });
    let role: string | undefined;
    open(
      { identity: null },
      {
        async call(id) {
          if (role === undefined) throw away;
          if (id !== 'session.show') throw refused;
          return { success: true, admin: { ...user, role }, token: null } as never;
        },
      },
    );
    expect(await dashboard.shows('Connection lost')).toMatch(/ staging $/m);
    expect(await dashboard.shows('6 Usage 7')).not.toContain('grace');
    role = 'user';
    await dashboard.shows('grace@example.com · user · staging');
    await dashboard.hides('6 Usage 7');
    role = 'superadmin';
    await expect(dashboard.app.call('settings.show', {})).rejects.toThrow('Insufficient permissions.');
    await dashboard.shows('6 Usage 7');
  });
});
