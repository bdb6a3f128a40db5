import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../cli/access/access.ts';
import type { Identity } from '../../../cli/dashboard/app/identity.ts';
import { conflictIn } from '../../../cli/dashboard/app/keys.ts';
import { actionNow } from '../../../cli/dashboard/app/old-actions.ts';
import { keyboardsOf } from '../../../cli/dashboard/dashboard.ts';
import { NotConnectedError } from '../../../cli/errors.ts';
import { cellsOf } from '../../../cli/terminal/cells.ts';
import { BackofficeError } from '../../../src/contract/errors.ts';
import {
  type Dashboard,
  type DashboardOptions,
  openDashboard,
  silentAccess,
} from '../../support/run/dashboard.ts';
import { dashboardHere } from '../../support/run/dashboard-here.ts';

/** Every action of version 0.2. */
const oldIds = `
  everywhere.back everywhere.leave everywhere.redraw everywhere.suspend global.overview global.issues
  global.charts global.conversations global.settings global.admins global.usage global.audit
  global.next global.previous global.palette global.help global.log global.refresh global.theme
  global.notify global.quit list.down list.up list.pageDown list.pageUp list.halfDown list.halfUp
  list.first list.last row.copy row.copyWhole row.browse search.open overview.open overview.right
  overview.left issues.open issues.status issues.edit issues.external issues.assign issues.comment
  issues.comments issues.undo issues.create issues.select issues.selectAll issues.range issues.view
  issues.views issues.columns issues.sort issues.reverse issues.sortCreated issues.sortUpdated
  issues.sortSeverity issues.sortStatus issues.sortCategory issues.sortTitle issues.sortAssignee
  issues.sortId issues.scrollDown issues.scrollUp charts.period charts.periodBack conversations.open
  conversations.unread conversations.view conversations.select conversations.selectAll
  conversations.range conversations.views conversations.columns conversations.sort
  conversations.reverse conversations.sortAge conversations.sortNew conversations.sortVisitor
  conversations.sortSubject conversations.sortStatus conversations.sortAssignee conversations.create
  talk.reply talk.external talk.approve talk.revise talk.reject talk.resend talk.status talk.assign
  talk.comment talk.comments talk.undo talk.read talk.unread talk.issue talk.delete thread.close
  settings.edit settings.create settings.external settings.delete admins.create admins.role
  admins.activity admins.password admins.delete admins.sortCreated admins.sortEmail
  admins.sortUsername admins.nextPage admins.previousPage usage.next usage.previous errors.issue
  audit.open audit.views audit.follow help.close help.down help.up help.pageDown help.pageUp
  help.first help.last log.undo log.close confirm.yes confirm.no choice.take choice.first
  choice.second choice.third choice.fourth comments.create comments.edit comments.delete views.take
  views.save views.columns views.rename views.delete views.first columns.toggle columns.done
  picker.take picker.down picker.up palette.run palette.down palette.up filter.done form.next
  form.previous form.enter form.submit editor.submit editor.newline editor.next editor.previous
  editor.up editor.down compose.external reply.saved text.left text.right text.wordLeft
  text.wordRight text.lineStart text.lineEnd text.deleteBack text.deleteForward text.deleteWord
  text.deleteToStart text.deleteToEnd
`.trim();

describe('the dashboard', () => {
  const tests = dashboardHere();

  beforeAll(async () => {
    await tests.client.call('issues.create', { title: 'An issue' });
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  test('draws no line wider than the terminal, however long a filter and a failure are', async () => {
    let isAway = false;
    const away = new NotConnectedError(
      `Cannot reach http://127.0.0.1:39418: ${'nothing listens '.repeat(9)}`,
    );
    const call: Access['call'] = (...of) => (isAway ? Promise.reject(away) : tests.access.call(...of));
    const dashboard = tests.openWith({ ...tests.access, call }, { columns: 60, rows: 15 });
    await dashboard.after(
      '/ "category:x status:nonsense older:1d and more words than there is room for" enter',
      '/ category:x status:nonsense',
    );
    const widest = () => Math.max(...dashboard.lines().map(cellsOf));
    expect(widest()).toBeLessThanOrEqual(60);
    await dashboard.after('/ ctrl+u "an issue" enter', /❯ +\d+ +An issue/);
    isAway = true;
    await dashboard.after('space ctrl+r', / ✗ Cannot reach/);
    expect(widest()).toBeLessThanOrEqual(60);
  });

  test('asks before it quits if something is not saved, also on Ctrl-C in another dialog', async () => {
    const dashboard = tests.open();
    await dashboard.shows(/❯ +\d+ +/);
    await dashboard.after('n "Half a title" esc q', 'Not saved: new issue. Quit?');
    dashboard.press('n');
    expect(dashboard.quits()).toBe(0);
    await dashboard.after('n', 'Half a title');
    await dashboard.after('esc w', '── Views');
    await dashboard.after('ctrl+c', 'Not saved: new issue. Quit?');
    expect(dashboard.quits()).toBe(0);
    dashboard.press('ctrl+c');
    expect(dashboard.quits()).toBe(1);
  });

  test('refuses every change and offers none if it is read-only', async () => {
    const dashboard = tests.open({ isReadOnly: true });
    await dashboard.shows(/❯ +\d+ +/);
    expect(dashboard.frame()).toContain('read-only');
    expect(dashboard.frame()).not.toContain('s status');
    for (const [screen, keys] of Object.entries({ 1: 'snpAD+e', 4: 'nD', 5: 'nraDp' })) {
      for (const key of keys) {
        dashboard.press(screen, key);
        await dashboard.shows('✗ This dashboard is read-only');
        expect(dashboard.app.dialog()).toBeUndefined();
        dashboard.press('esc');
        await dashboard.hides('✗ This dashboard');
      }
    }
    dashboard.press('1');
    expect(await dashboard.after(': "status"', 'Show only the next status')).not.toContain(
      'Change the status',
    );
    const change = dashboard.app.call('settings.update', { key: 'a', value: 'b' });
    await expect(change).rejects.toThrow('read-only');
  });

  test('has no key twice, and knows what every action of version 0.2 is called now', () => {
    const keyboards = keyboardsOf(tests.open().app);
    const conflicts = keyboards.map((keyboard) => conflictIn(keyboard, ({ keys }) => keys));
    expect(conflicts.filter((each) => each !== undefined)).toEqual([]);
    const ids = new Set(keyboards.flatMap(({ actions }) => actions.map(({ id }) => id)));
    const now = oldIds.split(/\s+/).map((id) => actionNow(id));
    expect(now.filter((id) => id !== null && !ids.has(id))).toEqual([]);
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
    const [tabs = ''] = (await dashboard.shows('5 Admins')).split('\n');
    expect(tabs).not.toContain('Audit');
    await dashboard.after('7', '✗ Only superadmins can go to Audit. Your role is user.');
    expect(dashboard.app.screen().id).toBe('issues');
    expect(await dashboard.after('5', 'p password')).not.toMatch(/n new|r role|D delete/);
    await dashboard.after('n', '✗ Only admins and superadmins can create admins. Your role is user.');
    expect(await dashboard.after(': "admins:"', 'Admins: Set a password')).not.toContain('Create admins');
    dashboard.press('esc');
    await dashboard.after('? "change roles"', 'Only superadmins can change roles. Your role is user.');
    dashboard.press('esc', '6', 'tab');
    // The audit screen would come next.
    await dashboard.shows('▸0 Overview');
  });

  test('says who acts and where, at every width', async () => {
    open();
    await dashboard.shows(/ (grace@example\.com|grace@…) · user · staging( ──)?$/m);
    dashboard.resize(140, 40);
    await dashboard.shows(/grace@example\.com · user · staging$/m);
    dashboard.resize(59, 15);
    await dashboard.shows('Too small: 59×15. The dashboard needs 60×15 cells.');
  });

  test('learns of its role when the server is back, and when a call is not allowed any more', async () => {
    const away = new NotConnectedError('Cannot reach the server.');
    const refused = new BackofficeError({ code: 'forbidden', text: 'Insufficient permissions.' });
    let role: string | undefined;
    const call = async (id: string) => {
      if (role === undefined) throw away;
      if (id !== 'session.show') throw refused;
      return { success: true, admin: { ...user, role }, token: null };
    };
    open({ identity: null, columns: 120 }, { ...silentAccess, call } as unknown as Access);
    expect(await dashboard.shows('Connection lost: Cannot reach the server. Retrying in')).not.toContain(
      'grace',
    );
    role = 'user';
    await dashboard.shows('grace@example.com · user · staging');
    await dashboard.hides('7 Audit');
    role = 'superadmin';
    await expect(dashboard.app.call('settings.show', {})).rejects.toThrow('Insufficient permissions.');
    await dashboard.shows('7 Audit');
  });
});
