import { sql } from 'slonik';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { passingPreferences } from '../../../../cli/tui/preferences.ts';
import { parseAuditFilter } from '../../../../cli/tui/screens/audit/filter.ts';
import { parseConversationFilter } from '../../../../cli/tui/screens/conversations/filter.ts';
import { parseIssueFilter } from '../../../../cli/tui/screens/issues/filter.ts';
import { screenIds } from '../../../../cli/tui/state/screen-types.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

const tests = dashboardHere();

test('the admins screen creates an admin with a hidden password, changes it and deletes it', async () => {
  const dashboard = tests.open();
  await dashboard.after('5', 'grace@example.com');
  expect(
    await dashboard.after(
      'n "eve@example.com" enter enter right enter "correct horse" enter "wrong horse" enter',
      '✗ The passwords do not match.',
    ),
  ).not.toContain('horse');
  await dashboard.after('ctrl+u "correct horse" enter', /❯ . eve@example\.com +eve +superadmin/);
  expect(dashboard.raw()).not.toContain('horse');
  await dashboard.after('r 3 enter', /❯ . eve@example\.com +eve +user/);
  await dashboard.after('a', 'Deactivate user eve@example.com?');
  await dashboard.after('y', /❯ . eve@example\.com +eve +user +✗ no/);
  await dashboard.after('D', /Delete user eve@example\.com \(admin_\w+\)\?/);
  await dashboard.after('y', '✓ Deleted eve@example.com.');
});

test('the audit screen shows who did what, filters by event, keeps the filter in a view, and opens with it', async () => {
  const preferences = passingPreferences();
  let dashboard = tests.open({ preferences });
  await dashboard.after('7', /admin\.created/);
  await dashboard.after('enter', /Who +(operator|admin)/);
  const views = await dashboard.after('esc / "event:admin.created" enter w', /❯ ● All +all records *$/m);
  expect(views).not.toContain('c columns');
  await dashboard.after('s ctrl+u "New admins" ctrl+s', '✓ Saved the view New admins.');
  await dashboard.after('*', '✓ Records open with New admins from now on.');
  expect(preferences.get()).toEqual({
    auditViews: { 'New admins': { filter: 'event:admin.created' } },
    defaultAuditView: 'New admins',
  });
  dashboard.close();
  dashboard = tests.open({ preferences });
  await dashboard.after('7', '▸New admins');
  await dashboard.shows('admin.created');
  await tests.client.call('issues.create', { title: 'Not shown' });
  await dashboard.app.screens.audit.refresh();
  expect(dashboard.frame()).not.toContain('issue.created');
});

test.each([
  ['issues.updated', ['issue.updated']],
  ['issues.deleted', ['issue.updated', 'link.deleted']],
  ['conversations.updated', ['conversation.updated']],
])('the bulk change %s refreshes every screen that %j refresh', async (bulk, single) => {
  const { screens } = tests.open().app;
  const refreshedBy = (...types: readonly string[]) =>
    screenIds.filter((id) => types.some((type) => screens[id].isAffectedBy(type)));
  expect(refreshedBy(bulk)).toEqual(refreshedBy(...single));
  expect(refreshedBy(bulk).length).toBeGreaterThan(1);
});

test('an action on the row under the cursor says that there is none, or why the rows did not load', async () => {
  const { access } = tests;
  let isDown = false;
  const dashboard = tests.openWith({
    call: (id, input) => (isDown ? Promise.reject(new Error('It is broken.')) : access.call(id, input)),
  });
  await dashboard.after('3', 'No conversations yet.');
  await dashboard.after('s', 'No conversation selected.');
  isDown = true;
  dashboard.press('s');
  await expect.poll(() => dashboard.app.store.get().message?.text).toBe('It is broken.');
});

test('rows that arrive above the visible ones are counted there, also by an undo', async () => {
  const { client } = tests;
  const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada', initial_message: 'Hello' };
  const create = {
    issue: () => client.call('issues.create', { title: 'An issue' }),
    conversation: () => client.call('conversations.create', visitor),
  };
  await Promise.all(Array.from({ length: 12 }, () => [create.issue(), create.conversation()]).flat());
  // Shows fewer rows than there are.
  const dashboard = tests.open({ rows: 12 });
  const receive = async (keys: string, noun: keyof typeof create, shown: RegExp | string) => {
    dashboard.press(...keys);
    await create[noun]();
    dashboard.app.onEvents([{ type: `${noun}.created`, id: null }]);
    await dashboard.shows(shown);
  };
  await dashboard.shows('An issue');
  await receive('G', 'issue', /↑ 1 new.* (\d+) of \1 /s);
  await receive('k', 'issue', '↑ 2 new');
  await dashboard.after('g s 4 enter', 'Closed 1');
  await dashboard.after('G z', '✓ Put back 1 issue.');
  await dashboard.shows('↑ 1 new');
  await dashboard.after('3', 'Ada');
  await receive('G', 'conversation', '↑ 1 new');
  await dashboard.after('7', 'issue.created');
  await receive('G', 'issue', /↑ \d+ new/);
});

describe('the settings screen', () => {
  beforeAll(async () => {
    await tests.client.call('settings.update', { updates: { site_name: 'Example' } });
  });

  const stored = async (key: string) =>
    (await tests.client.call('settings.show', { section: 'none' })).settings[key];

  /** Opens the screen with the settings whose key has this text. */
  const openAt = (text: string, dashboard = tests.open({ columns: 140 })) => {
    dashboard.press('4', '/');
    dashboard.write(text);
    dashboard.press('enter');
    return dashboard;
  };

  test('adds, edits and deletes a setting', async () => {
    const dashboard = tests.open();
    await dashboard.after('4', 'site_name');
    await dashboard.after('n "color" tab "blue" ctrl+s', /❯ • color +blue/);
    await dashboard.after('e backspace "ish" ctrl+s', /❯ • color +bluish/);
    await dashboard.after('D', 'Delete the setting color?');
    dashboard.press('enter');
    await dashboard.hides('Delete the setting color?');
    await dashboard.shows(/❯ . color/);
    await dashboard.after('D y', '✓ Deleted color.');
  });

  test('warns of a value that the service cannot read, and saves it the second time', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { timezone: 'Europe/Berlin' } });
    const dashboard = openAt('timezone');
    await dashboard.shows(/❯ . timezone +Europe/);
    await dashboard.after(
      'e ctrl+u "Mars/Olympus" ctrl+s',
      /✗ The setting timezone must be a zone .* It would count as not set\./,
    );
    expect(await stored('timezone')).toBe('Europe/Berlin');
    await dashboard.after('ctrl+s', '✓ Saved timezone. Time zone: unreadable, so it counts as not set.');
    expect(await stored('timezone')).toBe('Mars/Olympus');
    await dashboard.after('6', /Time zone +unreadable: The setting timezone must be a zone/);
    await dashboard.after('4', /❯ . timezone +Mars/);
    await dashboard.after(
      'e ctrl+u "UTC" ctrl+s',
      /✓ Saved timezone\. Time zone: UTC, where it is \d\d:\d\d now\./,
    );
  });

  test('asks before it overwrites what someone else has changed, deleted or made secret', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { motto: 'Old' } });
    const dashboard = openAt('motto');
    await dashboard.shows(/❯ . motto +Old/);
    dashboard.press('e');
    dashboard.write(' mine');
    await client.call('settings.update', { updates: { motto: 'Theirs' } });
    await dashboard.after(
      'ctrl+s',
      '✗ The value was changed to “Theirs”. Press Ctrl-S again to overwrite it.',
    );
    expect(await stored('motto')).toBe('Theirs');
    // The value changes again, so the next save asks again.
    await client.call('settings.delete', { key: 'motto' });
    await dashboard.after('ctrl+s', '✗ This setting was deleted. Press Ctrl-S again to add it back.');
    expect(await stored('motto')).toBeUndefined();
    await dashboard.after('ctrl+s', '✓ Saved motto.');
    expect(await stored('motto')).toBe('Old mine');
    await dashboard.after('e', '── Value of motto');
    await client.call('settings.update', { updates: {}, secret: ['motto'] });
    await dashboard.after('ctrl+s', '✗ This setting is secret now. Press Ctrl-S again to replace its value.');
    await dashboard.after('ctrl+s', /❯ . motto +\(secret\)/);
  });

  test('shows that a setting is secret, never its value, and replaces that', async () => {
    const { client } = tests;
    await client.call('settings.update', { updates: { a_token: 't0ken' }, secret: ['a_token'] });
    const dashboard = openAt('a_token');
    await dashboard.shows(/❯ . a_token +\(secret\)/);
    await dashboard.after('Y', '✗ The setting a_token is secret: its value is shown to nobody.');
    await dashboard.after('e', 'New value of a_token');
    await dashboard.hides('t0ken');
    await dashboard.after('"n3w" ctrl+s', '✓ Saved a_token.');
    await dashboard.shows(/❯ . a_token +\(secret\)/);
    const rows = await tests.service.services.databases.primary.any(
      sql.type(
        z.object({ value: z.string() }),
      )`select setting_value as value from settings where is_secret and setting_key = 'a_token'`,
    );
    const { secretBox } = tests.service.services;
    expect(rows.map(({ value }) => secretBox.open(value, 'setting:a_token'))).toEqual(['n3w']);
  });

  test('says who may change a protected setting before somebody else tries, and offers no keys for it', async () => {
    const { client, service } = tests;
    await client.call('settings.update', {
      updates: { currency: 'EUR', currently: 'free', sign_in_second_factor: 'optional' },
    });
    const user = await service.signIn('user');
    const identity = { email: user.email, role: 'user', isReadOnly: false } as const;
    const options = { identity, columns: 120 };
    const dashboard = openAt('curren', tests.openWith({ call: user.client.call }, options));
    await dashboard.shows('2 settings · Only superadmins and admins can change this setting.');
    await dashboard.shows(/n new +/);
    await dashboard.hides(' edit');
    for (const key of ['e', 'E', 'D']) {
      dashboard.press(key);
      await dashboard.shows('✗ Only superadmins and admins can change this setting.');
    }
    await dashboard.after('down', /❯ . currently/);
    await dashboard.hides('Only superadmins and admins');
    await dashboard.shows(/ edit/);
    await dashboard.after('e', 'Value of currently');
    await dashboard.after(
      'esc n "history_retention_days" tab "30" ctrl+s',
      '✗ Only superadmins and admins can change this setting.',
    );
  });
});

test.each([
  ['event:issue.updated door:tui', { event: 'issue.updated', door: 'tui' }],
  ['subject:7', { subject_id: '7' }],
  ['wrong:7 grace', { q: 'wrong:7 grace' }],
])('a filter of the audit trail: %s', (text, filter) => {
  expect(parseAuditFilter(text)).toEqual(filter);
});

test.each([
  ['status:op is:unread invoice march', { status: 'open', unread: true, q: 'invoice march' }, undefined],
  ['assignee:none older:2026-01-31', { assignee: 'none', until: '2026-01-31T00:00:00.000Z' }, undefined],
  ['is:read', { unread: true }, 'No is “read”. Use unread.'],
])('a filter of conversations: %s', (text, search, problem) => {
  expect(parseConversationFilter(text)).toEqual({ search, problem });
});

const used = {
  severities: ['Low', 'Critical', 'Blocker'],
  categories: ['Payments', 'Performance', 'Carrier pigeons', 'Pay'],
};

describe('a filter of issues', () => {
  test.each([
    ['severity:crit checkout', { severity: 'Critical', q: 'checkout' }],
    ['severity:BLO', { severity: 'Blocker' }],
    ['status:open,res', { status: 'Open,Resolved' }],
    ['category:carrierp', { category: 'Carrier pigeons' }],
    // The whole word of two that start with it.
    ['category:pay', { category: 'Pay' }],
    // Still being typed.
    ['severity: words', { q: 'words' }],
    ['wrong:crit', { q: 'wrong:crit' }],
    ['assignee:none older:2026-01-31 newer:', { assignee: 'none', until: '2026-01-31T00:00:00.000Z' }],
  ])('understands %s', (text, search) => {
    expect(parseIssueFilter(text, used)).toEqual({ search, problem: undefined });
  });

  test.each([
    ['severity:crix', 'No severity “crix”. Use Critical, High, Medium, Low or Blocker.'],
    ['status:done', 'No status “done”. Use Open, In Progress, Resolved or Closed.'],
    ['older:someday', 'No time “someday”. Use 30d, yesterday or 2026-01-31.'],
    ['category:p', 'category:p can be Payments, Performance or Pay. Type more of it.'],
  ])('says what is wrong with %s', (text, problem) => {
    expect(parseIssueFilter(text, used).problem).toBe(problem);
  });

  test('takes any word until the words in use are known', () => {
    expect(parseIssueFilter('severity:Blocker', null).search).toEqual({ severity: 'Blocker' });
  });
});
