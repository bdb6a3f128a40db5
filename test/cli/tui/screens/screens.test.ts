import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { passingPreferences } from '../../../../cli/tui/preferences.ts';
import { screenIds } from '../../../../cli/tui/state/screen-types.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';
import { after, typing } from '../after-keys.ts';

const tests = dashboardHere();

/** Refreshes before and after a change. The answer from before it is the last to arrive. */
async function refreshAround(
  held: readonly (() => Promise<void>)[],
  refresh: () => Promise<void>,
  change: () => Promise<unknown>,
): Promise<void> {
  const refreshes = [refresh()];
  await expect.poll(() => held.length).toBe(2);
  await change();
  refreshes.push(refresh());
  await expect.poll(() => held.length).toBe(3);
  await held[2]?.();
  await refreshes[1];
  await held[1]?.();
  await Promise.all(refreshes);
}

describe('the admins screen', () => {
  test('creates an admin with a hidden password, changes it and deletes it', async () => {
    const dashboard = tests.open();
    await after(dashboard, '5', 'grace@example.com');
    dashboard.press('n');
    dashboard.write('eve@example.com');
    dashboard.press('enter', 'enter', 'right', 'enter');
    dashboard.write('correct horse');
    dashboard.press('enter');
    expect(await typing(dashboard, 'wrong horse', 'enter', '✗ The passwords do not match.')).not.toContain(
      'horse',
    );
    dashboard.press('ctrl+u');
    await typing(dashboard, 'correct horse', 'enter', /❯ . eve@example\.com +eve +superadmin/);
    expect(dashboard.raw()).not.toContain('horse');
    await after(dashboard, 'r 3 enter', /❯ . eve@example\.com +eve +user/);
    await after(dashboard, 'a', 'Deactivate user eve@example.com?');
    await after(dashboard, 'y', /❯ . eve@example\.com +eve +user +✗ no/);
    await after(dashboard, 'D', /Delete user eve@example\.com \(admin_\w+\)\?/);
    await after(dashboard, 'y', '✓ Deleted eve@example.com.');
  });

  test('ignores a late answer, also for the count above the list', async () => {
    const { dashboard, held } = tests.openHolding('admins.list');
    dashboard.press('5');
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.();
    const before = Number(/(\d+) admins?/.exec(await dashboard.shows(/\d+ admins?/))?.[1]);
    await refreshAround(held, dashboard.app.screens.admins.refresh, () =>
      tests.service.signIn('admin', 'late@example.com'),
    );
    dashboard.resize(100, 30);
    expect(await dashboard.shows('late@example.com')).toContain(`${before + 1} admins`);
  });
});

describe('the audit screen', () => {
  test('shows who did what, and filters by event', async () => {
    const dashboard = tests.open();
    await after(dashboard, '7', /admin\.created/);
    await after(dashboard, 'enter', /Who +(operator|admin)/);
    dashboard.press('esc', '/');
    dashboard.write('event:issue.created');
    await expect.poll(() => dashboard.frame()).not.toContain('admin.created');
  });

  test('keeps a filter in a view, and opens with it', async () => {
    const preferences = passingPreferences();
    let dashboard = tests.open({ preferences });
    dashboard.press('7', '/');
    expect(
      await typing(dashboard, 'event:admin.created', 'enter w', /❯ ● All +all records *$/m),
    ).not.toContain('c columns');
    dashboard.press('s', 'ctrl+u');
    await typing(dashboard, 'New admins', 'ctrl+s', '✓ Saved the view New admins.');
    await after(dashboard, '*', '✓ Records open with New admins from now on.');
    expect(preferences.get()).toEqual({
      auditViews: { 'New admins': { filter: 'event:admin.created' } },
      defaultAuditView: 'New admins',
    });
    dashboard.close();
    dashboard = tests.open({ preferences });
    await after(dashboard, '7', '▸New admins');
    await dashboard.shows('admin.created');
    await tests.client.call('issues.create', { title: 'Not shown' });
    await dashboard.app.screens.audit.refresh();
    expect(dashboard.frame()).not.toContain('issue.created');
  });
});

describe('the overview', () => {
  // It counts all that there is.
  const tests = dashboardHere();

  beforeAll(async () => {
    const { client } = tests;
    for (const severity of ['Critical', 'Critical', 'High']) {
      await client.call('issues.create', { title: `A ${severity} issue`, severity });
    }
    await client.call('issues.update', { ids: [1], set: { status: 'In Progress' } });
    await client.call('issues.create', { title: 'Solved', severity: 'Critical' });
    await client.call('issues.update', { ids: [4], set: { status: 'Resolved' } });
    await client.call('conversations.create', {
      visitor_email: 'ada@example.com',
      visitor_name: 'Ada Byron',
      subject: 'An invoice',
      initial_message: 'Could you send it again?',
    });
    await client.call('scrapingRuns.record', {
      runs: [{ run_id: 'one', source: 'news.example.org', status: 'succeeded' }],
    });
  });

  test('shows what waits, what it costs and what happened, as it happens', async () => {
    const dashboard = tests.open({ columns: 140, rows: 40 });
    const frame = await after(dashboard, '0', 'Latest activity');
    expect(frame).toMatch(/❯ Critical +High +Medium +Low +Unread +Cost this month +Scraping/);
    expect(frame).toMatch(/ 2 +1 +0 +0 +1 +0\.00 USD +100 %/);
    expect(frame).toMatch(/unsettled +unsettled .* conversation +no budget +of 1 run/);
    expect(frame).toContain('grace@example.com set issue 4 to Resolved');
    expect(frame).toContain('grace@example.com opened a conversation: An invoice');
    expect(frame).toContain('Reported issues  4 issues in 30 days, UTC');
    await tests.client.call('issues.create', { title: 'Another\u001B[2J', severity: 'High' });
    const newest = async () => (await tests.client.call('events.list', { limit: 1 })).events[0]?.subject_id;
    await expect.poll(newest).toBe('5');
    dashboard.app.onEvents([{ type: 'issue.created', id: '5' }]);
    await dashboard.shows('grace@example.com reported issue 5: Another�[2J');
    await dashboard.shows(/ 2 +2 +0 +0 +1 /);
  });

  test('goes to what a figure counts, and to what an entry is about', async () => {
    const dashboard = tests.open();
    await after(dashboard, '0', '❯ Critical');
    const issues = await after(dashboard, 'enter', /▸1 Issues[\s\S]*❯ +2 +A Critical issue/);
    expect(issues).toContain('A Critical issue');
    expect(issues).not.toMatch(/Solved|A High issue/);
    await after(dashboard, '0 j', '❯ Unread');
    await after(dashboard, 'enter', 'unread only');
    await dashboard.shows('Ada Byron');
    await after(dashboard, '0 l l', '❯ Scraping');
    await after(dashboard, 'enter', 'By source');
    await after(dashboard, '0 j', /❯ \w+@example\.com /);
    await after(dashboard, 'k k g h', '❯ Critical');
    await after(dashboard, 'G enter', /▸1 Issues[\s\S]*\/ 1 /);
  });

  test('counts what is assigned to the person who looks, and goes to it', async () => {
    const { client } = tests;
    const { admin } = await client.call('session.show', {});
    await client.call('issues.update', { ids: [2, 4], set: { assignee_id: admin?.id ?? '' } });
    const identity = { email: 'grace@example.com', role: 'superadmin', isReadOnly: false } as const;
    const dashboard = tests.openWith(client, { identity });
    dashboard.press('0');
    // The other one is resolved.
    await dashboard.shows(/Assigned to you +Unread +Cost[^\n]+\n +1 +/);
    await after(dashboard, 'j', '❯ Assigned to you');
    expect(await after(dashboard, 'enter', /▸1 Issues[\s\S]*❯ +2 +A Critical issue/)).not.toContain(
      'A High issue',
    );
  });

  test('shows the other parts if one cannot be loaded, and why if none can', async () => {
    const { access } = tests;
    let isDown = false;
    const call = (id: string, input: never) => {
      if (isDown || id === 'settings.show') return Promise.reject(new Error('It is broken.'));
      return access.call(id as never, input);
    };
    const dashboard = tests.openWith({ call: call as Access['call'] });
    const frame = await after(dashboard, '0', 'Latest activity');
    expect(frame).toMatch(/Cost this month +Scraping *\n +1 +\? +\?/);
    isDown = true;
    const other = tests.openWith({ call: call as Access['call'] });
    await after(other, '0', '✗ It is broken.');
  });
});

describe('the usage screen', () => {
  const tests = dashboardHere({ issues: 10, conversations: 0 });

  test('shows the token usage and the scraping', async () => {
    const dashboard = tests.open();
    await after(dashboard, '6', '▸Tokens and cost');
    await dashboard.shows('Budget');
    await after(dashboard, 'l', 'By source');
    await after(dashboard, 'l', /❯ +\w+ +(running|succeeded|failed|cancelled) /);
    const { client } = tests;
    const run = { run_id: 'just-begun', source: 'news.example.org', pages_succeeded: 1_234 };
    await client.call('scrapingRuns.record', { runs: [run] });
    await after(dashboard, 'ctrl+r', /• +now +running +news\.example\.org .* 1,234/);
  });

  test('ignores a late answer, for the numbers and for the errors', async () => {
    const { dashboard, held } = tests.openHolding('settings.show');
    dashboard.press('6', 'l');
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.();
    await dashboard.shows('By source');
    const runs = [{ run_id: 'late', source: 'late.example.org' }];
    await refreshAround(held, dashboard.app.screens.usage.refresh, () =>
      tests.client.call('scrapingRuns.record', { runs }),
    );
    await after(dashboard, 'l', '▸Runs');
    expect(await after(dashboard, 'h', '▸Scraping')).toContain('late.example.org');
  });

  test('reports an issue from a scraping error, and both show the link', async () => {
    const { client } = tests;
    const error = { url: 'https://shop.example.org/page/7', code: 'HTTP_ERROR', http_status: 503 };
    const errors = [
      { ...error, message: 'The shop is closed.' },
      { ...error, message: '', occurred_at: '2026-01-01T00:00:00.000Z' },
    ];
    await client.call('scrapingRuns.record', {
      runs: [{ run_id: 'closed', source: 'shop.example.org', errors }],
    });
    const dashboard = tests.open({ columns: 140, rows: 40 });
    await after(dashboard, '2', 'Age of the issues');
    dashboard.press(':');
    expect(await typing(dashboard, 'from the scraping error', 'enter', '── Report an issue')).toMatch(
      /❯.* HTTP_ERROR 503 +shop\.example\.org +The shop is closed\./,
    );
    // A form without changes does not count as unsaved.
    dashboard.press('esc');
    expect(dashboard.app.unsaved()).toEqual([]);
    await after(dashboard, 'i ctrl+s', /❯.*The shop is closed\..* #\d+ *\n/);
    await dashboard.shows(/→ #\d+ The shop is closed\. +Open/);
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    await after(dashboard, '1', /^[❯ ] [• ] *\d+ +The shop is closed\./m);
    await after(dashboard, 'g enter', '→ scraping error: The shop is closed.');
    await dashboard.shows('https://shop.example.org/page/7');
  });
});

describe('bulk changes', () => {
  test.each([
    ['issues.updated', ['issue.updated']],
    ['issues.deleted', ['issue.updated', 'link.deleted']],
    ['conversations.updated', ['conversation.updated']],
  ])('%s refreshes every screen that %j refresh', async (bulk, single) => {
    const { screens } = tests.open().app;
    const refreshedBy = (...types: readonly string[]) =>
      screenIds.filter((id) => types.some((type) => screens[id].isAffectedBy(type)));
    expect(refreshedBy(bulk)).toEqual(refreshedBy(...single));
    expect(refreshedBy(bulk).length).toBeGreaterThan(1);
  });
});

test('an action on the row under the cursor says that there is none, or why the rows did not load', async () => {
  const { access } = tests;
  let isDown = false;
  const dashboard = tests.openWith({
    call: (id, input) => (isDown ? Promise.reject(new Error('It is broken.')) : access.call(id, input)),
  });
  await after(dashboard, '3', 'No conversations yet.');
  await after(dashboard, 's', 'No conversation selected.');
  isDown = true;
  dashboard.press('s');
  await expect.poll(() => dashboard.app.store.get().message?.text).toBe('It is broken.');
});
