import { describe, expect, test } from 'vitest';
import { passingPreferences } from '../../../../../cli/tui/preferences.ts';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';

describe('the audit screen', () => {
  const tests = dashboardHere();

  test('shows who did what, and filters by event', async () => {
    const dashboard = tests.open();
    dashboard.press('7');
    await dashboard.shows(/admin\.created/);
    dashboard.press('enter');
    await dashboard.shows(/Who +(operator|admin)/);
    dashboard.press('esc', '/');
    dashboard.write('event:issue.created');
    await expect.poll(() => dashboard.frame()).not.toContain('admin.created');
  });

  test('keeps a filter in a view, and opens with it', async () => {
    const preferences = passingPreferences();
    let dashboard = tests.open({ preferences });
    dashboard.press('7', '/');
    dashboard.write('event:admin.created');
    dashboard.press('enter', 'w');
    expect(await dashboard.shows(/❯ ● All +all records *$/m)).not.toContain('c columns');
    dashboard.press('s', 'ctrl+u');
    dashboard.write('New admins');
    dashboard.press('ctrl+s');
    await dashboard.shows('✓ Saved the view New admins.');
    dashboard.press('*');
    await dashboard.shows('✓ Records open with New admins from now on.');
    expect(preferences.get()).toEqual({
      auditViews: { 'New admins': { filter: 'event:admin.created' } },
      defaultAuditView: 'New admins',
    });
    dashboard.close();
    dashboard = tests.open({ preferences });
    dashboard.press('7');
    await dashboard.shows('▸New admins');
    await dashboard.shows('admin.created');
    await tests.client.call('issues.create', { title: 'Not shown' });
    await dashboard.app.screens.audit.refresh();
    expect(dashboard.frame()).not.toContain('issue.created');
  });
});
