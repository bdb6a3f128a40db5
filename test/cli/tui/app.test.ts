import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NotConnectedError, UsageError } from '../../../cli/errors.ts';
import { describeCall } from '../../../cli/tui/log/describe-call.ts';
import { createSessionLog } from '../../../cli/tui/log/session-log.ts';
import { openPreferences } from '../../../cli/tui/preferences.ts';
import type { Identity } from '../../../cli/tui/state/identity.ts';
import { BackofficeError } from '../../../src/contract/errors.ts';
import {
  type Dashboard,
  type DashboardOptions,
  openDashboard,
  silentAccess,
} from '../../support/run/dashboard.tsx';
import { dashboardHere } from '../../support/run/dashboard-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the dashboard', () => {
  const tests = dashboardHere();

  beforeAll(async () => {
    await tests.client.call('issues.create', { title: 'An issue' });
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  test('asks before it quits if something is not saved, also on Ctrl-C in another dialog', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯.{3} *\d+ +/);
    await dashboard.after('n "Half a title" esc q', 'The new issue is not saved. Discard it and quit?');
    dashboard.press('n');
    expect(dashboard.quits()).toBe(0);
    expect(await dashboard.after('n', 'Half a title')).toContain('Report an issue');
    await dashboard.after('esc 4', 'site_name');
    await dashboard.after('D', '── Confirm ');
    await dashboard.after('ctrl+c', 'The new issue is not saved. Discard it and quit?');
    expect(dashboard.quits()).toBe(0);
    dashboard.press('ctrl+c');
    expect(dashboard.quits()).toBe(1);
  });

  test('refuses every change and offers none if it is read-only', async () => {
    const dashboard = tests.open({ readOnly: true });
    await dashboard.shows(/❯.{3} *\d+ +/);
    expect(dashboard.frame()).toContain('read-only');
    expect(dashboard.frame()).not.toContain('s status');
    for (const [screen, keys] of Object.entries({ 1: 'sn', 4: 'neD', 5: 'nraDp' })) {
      for (const key of keys) {
        dashboard.press(screen, key);
        await dashboard.shows('✗ This dashboard is read-only');
        expect(dashboard.app.store.get().dialogs).toEqual([]);
        dashboard.press('esc');
        await dashboard.hides('✗ This dashboard');
      }
    }
    const found = await dashboard.after(': "status"', 'Issues: Show only the next status');
    expect(found).not.toContain('Change the status');
    const change = dashboard.app.call('settings.update', { key: 'a', value: 'b' });
    await expect(change).rejects.toThrow('read-only');
  });
});

describe('preferences.json', () => {
  const fileOf = async (text: string) => {
    const file = join(await temporaryFolder(), 'preferences.json');
    await writeFile(file, text);
    return file;
  };
  const stored = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

  test('is created, and keeps what this version does not know', async () => {
    const file = join(await temporaryFolder(), 'config', 'preferences.json');
    const store = await openPreferences(file);
    expect(store.get()).toEqual({});
    await store.change((before) => ({ ...before, theme: 'light' }));
    expect(await stored(file)).toEqual({ theme: 'light' });
    await writeFile(file, '\uFEFF{\r\n  "theme": "dark",\r\n  "later": { "a": [1] }\r\n}\r\n');
    const again = await openPreferences(file);
    await again.change((before) => ({ ...before, theme: 'high-contrast' }));
    expect(await stored(file)).toEqual({ theme: 'high-contrast', later: { a: [1] } });
    expect(await readdir(join(file, '..'))).toEqual(['preferences.json']);
  });

  test('keeps the changes of two dashboards, the order of quick changes of one, and a link to another file', async () => {
    const target = await fileOf('{}');
    const file = join(await temporaryFolder(), 'preferences.json');
    await symlink(target, file);
    const [one, other] = [await openPreferences(file), await openPreferences(file)];
    await Promise.all([
      one.change((before) => ({ ...before, theme: 'light' })),
      other.change((before) => ({ ...before, later: 1 })),
    ]);
    await Promise.all(
      (['dark', 'auto', 'light'] as const).map((theme) => other.change((before) => ({ ...before, theme }))),
    );
    expect(await stored(target)).toEqual({ theme: 'light', later: 1 });
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
  });

  test('keeps views of any name', async () => {
    const text = '{"views":{"__proto__":{"filter":"a"},"constructor":{"filter":"b"}}}';
    const file = await fileOf(text);
    const store = await openPreferences(file);
    await store.change((before) => ({ ...before, theme: 'light' }));
    expect((await stored(file)).views).toEqual(JSON.parse(text).views);
    await writeFile(file, '{\n"views": {\n"__proto__": 1}}');
    await expect(openPreferences(file)).rejects.toThrow('line 3: views.__proto__ is invalid.');
  });

  test.each([
    ['{\n  "theme": "light",\n}', /preferences\.json, line 3: The text is not valid JSON\./],
    ['{\n\n  "theme": "pink"\n}', /preferences\.json, line 3: theme is invalid\. .*"high-contrast"/],
  ])('is refused with its line and stays if it is damaged: %j', async (text, sentence) => {
    const file = await fileOf(text);
    const opened = openPreferences(file);
    await expect(opened).rejects.toThrow(UsageError);
    await expect(opened).rejects.toThrow(sentence);
    await writeFile(file, '{}');
    const store = await openPreferences(file);
    await writeFile(file, text);
    await expect(store.change((before) => ({ ...before, theme: 'dark' }))).rejects.toThrow(sentence);
    expect(await readFile(file, 'utf8')).toBe(text);
    // The choice applies until the dashboard ends.
    expect(store.get().theme).toBe('dark');
  });
});

const user: Identity = { email: 'grace@example.com', role: 'user', isReadOnly: false };

describe('through a server, the dashboard of a user', () => {
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
    await dashboard.after('7', '✗ The audit screen: only for superadmins. You are a user.');
    expect(dashboard.app.store.get().screen).toBe('issues');
    dashboard.press('5');
    await dashboard.hides('The audit screen');
    expect(await dashboard.shows('p password')).not.toMatch(/n new|r role|D delete/);
    await dashboard.after('n', '✗ Create an admin: only for superadmins and admins. You are a user.');
    await dashboard.after(': "create an admin"', 'No commands match.');
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

describe('the log of a session', () => {
  test.each([
    ['issues.update', { ids: [7], set: { status: 'Closed' }, expected: {} }, '#7: status → Closed'],
    ['issues.update', { ids: [7, 8], set: { assignee_id: null } }, '2 issues: assignee_id → none'],
    ['settings.update', { updates: { smtp_password: 'secret' } }, 'Set smtp_password'],
    ['admins.update', { id: 'admin_1', password: 'secret' }, 'Admin admin_1: password'],
    ['conversations.update', { ids: ['conv_1'], set: { status: 'open' } }, 'Ada Byron: status → open'],
  ] as const)('describes a call of %s with %j', (id, input, text) => {
    expect(describeCall(id, input, () => 'Ada Byron')).toBe(text);
  });

  test('has one entry for a change of several calls, which is undone when all of them are', () => {
    const log = createSessionLog();
    const entries = () => log.store.get().entries;
    const change = log.beginGroup('3,000 issues: status → Closed', 'staging', 0);
    change.begin('issues.update', {}).succeeded({ change_id: 17 });
    change.begin('issues.update', {}).succeeded({ change_id: 18 });
    expect(log.running('staging')).toEqual(['3,000 issues: status → Closed']);
    expect(log.running('production')).toEqual([]);
    change.failed('The database is unavailable.');
    // The number means another change on another server.
    log.begin('changes.undo', { change_id: 17 }, 'production', 1).succeeded({ change_id: 2 });
    // What it has changed can still be undone.
    expect(entries()[1]).toMatchObject({ outcome: 'failed', changeIds: [17, 18] });
    const undo = log.beginGroup('Undo: 3,000 issues: status → Closed', 'staging', 2);
    undo.begin('changes.undo', { change_id: 18 }).succeeded({ change_id: 19 });
    expect(entries()[2]).toMatchObject({ outcome: 'failed', changeIds: [17] });
    undo.begin('changes.undo', { change_id: 17 }).succeeded({ change_id: 20 });
    undo.succeeded();
    expect(entries()[0]).toMatchObject({ outcome: 'done', changeIds: [19, 20] });
    expect(entries()[2]).toMatchObject({ outcome: 'undone', changeIds: [] });
  });

  test('shows what failed and why, and quitting asks while something is not finished', async () => {
    const { promise: answer, reject } = Promise.withResolvers<never>();
    const dashboard = openDashboard({
      call: (id) => (id === 'settings.delete' ? answer : new Promise(() => {})),
    });
    const call = dashboard.app.call('settings.delete', { key: 'site_name' });
    await dashboard.after('q', 'Not finished: Delete the setting site_name. Discard it and quit?');
    dashboard.press('n');
    reject(new Error('It is in use.'));
    await expect(call).rejects.toThrow('It is in use.');
    await dashboard.after(': "log"', '❯ Screens: Show the log of this session');
    expect(await dashboard.after('enter', '── Log of this session')).toMatch(
      /✗ Delete the setting site_name[\s\S]*It is in use\./,
    );
    await dashboard.after('z', 'It failed, so there is nothing to undo.');
    dashboard.press('q', 'q');
    expect(dashboard.quits()).toBe(1);
    dashboard.close();
  });
});
