import { describe, expect, test } from 'vitest';
import { dashboardOfThisFile } from '../../../../support/terminal/dashboard-of-this-file.ts';

describe('the audit screen', () => {
  const tests = dashboardOfThisFile();

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
});
