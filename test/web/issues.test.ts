import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { dashboardOfThisFile } from '../support/web/dashboard.ts';

const dashboard = dashboardOfThisFile();
const total = 3_000;

beforeAll(async () => {
  await dashboard.backoffice.sql(
    `insert into issues (title, category, severity, description, status)
     select 'Issue ' || n, 'Web', case when n % 10 = 0 then 'Critical' else 'Low' end, 'Text ' || n, 'Open'
     from generate_series(1, $1) n`,
    [total],
  );
});

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const statuses = () =>
  dashboard.backoffice.sql<{ status: string; count: number }>(
    'select status, count(*)::integer as count from issues group by status order by status',
  );

test('a list of thousands has few rows in the document, and its end is reached', async () => {
  const page = await dashboard.open('/issues');
  await page.getByText('3,000 issues').waitFor();
  const grid = page.getByRole('grid', { name: 'Issues' });
  await grid.focus();
  // Each press shows the end of what is loaded, which loads more.
  while (
    (await row(page, 'Issue 1')
      .filter({ hasText: /Issue 1(?!\d)/ })
      .count()) === 0
  ) {
    await page.keyboard.press('End');
    expect(await page.getByRole('row').count()).toBeLessThan(100);
  }
});

test('selects with the keyboard, changes in bulk as one change, and undoes it', async () => {
  const page = await dashboard.open('/issues?severity=Critical&sort=created_at');
  await page.getByText('300 issues').waitFor();
  await page.getByRole('grid').focus();
  for (const key of ['x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await page.getByText('3 issues selected').waitFor();
  await page.getByRole('button', { name: 'Select all 300' }).click();
  await page.getByText('300 issues selected').waitFor();
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Resolved' }).click();
  await page.getByText('300 issues changed').waitFor();
  expect(await statuses()).toEqual([
    { status: 'Open', count: total - 300 },
    { status: 'Resolved', count: 300 },
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('300 issues restored.').waitFor();
  expect(await statuses()).toEqual([{ status: 'Open', count: total }]);
});

test('filters, search, sort and the drawer are in the address, and work in a new tab', async () => {
  const page = await dashboard.open('/issues');
  await page.getByRole('searchbox', { name: 'Search issues' }).fill('Issue 1230');
  await page.getByText('1 issue', { exact: true }).waitFor();
  await row(page, 'Issue 1230').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Text 1230').waitFor();
  expect(new URL(page.url()).search).toMatch(/^\?q=Issue\+1230&issue=\d+$/);
  await page.goto(page.url());
  await drawer.getByText('Text 1230').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.goBack();
  await drawer.getByText('Text 1230').waitFor();
});

test('shows what a colleague changes and reports, without a jump', async () => {
  const page = await dashboard.open('/issues?q=Issue 2999');
  await row(page, 'Issue 2999').getByText('Open').waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
  const colleague = (await dashboard.backoffice.service.signIn('user')).client;
  const answer = await colleague.call('issues.list', { q: 'Issue 2999', limit: 1 });
  const [issue] = 'issues' in answer ? answer.issues : [];
  await colleague.call('issues.changeStatus', { id: Number(issue?.id), status: 'Closed' });
  await row(page, 'Issue 2999').getByText('Closed').waitFor();
  await colleague.call('issues.create', { title: 'Issue 2999 again', severity: 'Low' });
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'Issue 2999 again').waitFor();
  await colleague.call('issues.changeStatus', { id: Number(issue?.id), status: 'Open' });
});

test('says what failed, and tries again', async () => {
  const page = await dashboard.open('/', { expected: [500] });
  await page.getByRole('status').getByText('Live').waitFor();
  await page.route('**/api/admin/issues?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Failed to load issues.' } }),
  );
  await page.getByRole('navigation').getByRole('link', { name: 'Issues' }).click();
  await page.getByText('Failed to load issues.').waitFor();
  await page.unroute('**/api/admin/issues?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(page, 'Issue 3000').waitFor();
});
