import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { seed } from '../../src/services/seed/index.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { smallSeed } from '../support/postgres/seeded.ts';
import { live, save, startConversation } from './steps.ts';

const dashboard = webHere();

/** Issues of each age but the youngest, with a severity and a category that a spreadsheet and a link must survive. */
const reported = [
  ['Critical', 'Payments', '5 hours', 'Open'],
  ['High', 'Payments', '2 days', 'Open'],
  ['High', '=SUM(1,2)', '3 days', 'Resolved'],
  ['Medium', 'Search', '20 days', 'Closed'],
  ['Urgent', 'Search', '20 days', 'Open'],
  ['Low', 'Search', '200 days', 'Closed'],
];

beforeAll(async () => {
  const insert = `insert into issues (title, severity, category, created_at, status)
    values ($1, $1, $2, now() - $3::interval, $4)`;
  for (const issue of reported) await dashboard.backoffice.sql(insert, issue);
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const namesOf = async (page: Page, chart: string) => {
  const bars = await card(page, chart).locator('[data-bar]').all();
  return await Promise.all(bars.map((bar) => bar.getAttribute('aria-label')));
};

test('ages are counted apart, arrows move along them and say their values, and a bar leads to its issues', async () => {
  const page = await dashboard.open('/charts');
  const ages = 'Age of the issues';
  await expect
    .poll(() => namesOf(page, ages))
    .toEqual([
      'In the last hour: 0',
      '1 to 24 hours ago: 1, Critical 1',
      '1 to 7 days ago: 2, High 2',
      '7 to 30 days ago: 2, Medium 1, Urgent 1',
    ]);
  await page.goto(`${page.url()}?period=all`);
  await expect.poll(() => namesOf(page, ages)).toContain('Over 7 days ago: 3, Medium 1, Low 1, Urgent 1');

  // The bars are one stop of the Tab key, which begins at the last.
  await card(page, ages).locator('[data-bar][tabindex="0"]').focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  expect(await focused()).toBe('1 to 7 days ago: 2, High 2');
  await card(page, ages).locator('strong').getByText('1 to 7 days ago').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('2 issues', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Reported from .*, before .*, clear$/ }).click();
  await page.getByText('6 issues', { exact: true }).waitFor();
});

test('the trend has days or weeks, compares with the time before, and is live', async () => {
  const page = await dashboard.open('/charts?days=7');
  const trend = 'Reported issues';
  await page.getByText('3 issues, 0.4 a day', { exact: false }).waitFor();
  await expect.poll(() => namesOf(page, trend)).toHaveLength(7);
  await live(page);
  const { client } = await dashboard.backoffice.service.signIn('user');
  await client.call('issues.create', { title: 'News', severity: 'Low', category: 'Search' });
  await expect.poll(() => namesOf(page, trend)).toContainEqual(expect.stringMatching(/, until now: .*Low 1/));
  await page.getByText('52 weeks').click();
  await page.getByText('7 issues, 0 a day', { exact: false }).waitFor();
  await expect.poll(() => namesOf(page, trend)).toHaveLength(52);
});

test('each chart has a table, a CSV file that spreadsheets do not run, and a picture', async () => {
  const page = await dashboard.open('/charts');
  await page.getByRole('button', { name: 'As a table: By status' }).click();
  const table = page.getByRole('region', { name: 'By status, as a table' });
  await expect
    .poll(() => table.getByRole('row').allTextContents())
    .toEqual(['StatusIssues', 'Open4', 'In Progress0', 'Resolved1', 'Closed2']);
  const csv = await save(page, 'CSV: By category');
  expect(csv.name).toMatch(/^issues-by-category-\d{4}-\d\d-\d\d\.csv$/);
  const rows = `\uFEFFCategory,Issues\r\nSearch,4\r\nPayments,2\r\n"'=SUM(1,2)",1\r\n`;
  expect(csv.content.toString()).toBe(rows);
  const picture = await save(page, 'PNG: Age of the issues');
  expect(picture.name).toMatch(/\.png$/);
  expect(picture.content.toString('latin1', 1, 4)).toBe('PNG');

  await page.getByRole('link', { name: '=SUM(1,2)' }).click();
  await page.getByText('1 issue', { exact: true }).waitFor();
});

test('paper has the charts and their tables, and nothing to press, in black on white', async () => {
  const page = await dashboard.open('/charts', { colorScheme: 'dark' });
  await card(page, 'By severity').getByRole('link', { name: 'Urgent' }).waitFor();
  const table = page.getByRole('table').first();
  expect(await table.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  await table.waitFor();
  for (const role of ['navigation', 'banner', 'button'] as const)
    expect(await page.getByRole(role).count(), role).toBe(0);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
});

test('the overview counts what waits, links to it, and shows what colleagues do as they do it', async () => {
  const colleague = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open('/', { as: await dashboard.backoffice.service.signIn('user') });
  const tile = (name: string) => page.locator('dl > div').filter({ has: page.getByRole('link', { name }) });
  await tile('Critical').getByText('1', { exact: true }).waitFor();
  await tile('Unread').getByText('0', { exact: true }).waitFor();
  await live(page);

  const { id } = await colleague.client.call('issues.create', { title: 'It burns', severity: 'Critical' });
  await tile('Critical').getByText('2', { exact: true }).waitFor();
  await startConversation(dashboard.backoffice, 'Visitor', 'Smoke', 'I smell it.');
  await tile('Unread').getByText('1', { exact: true }).waitFor();
  await dashboard.backoffice.superadmin.client.call('settings.update', {
    updates: { token_prices: { small: { input: '10', output: '10' } }, token_budgets: { total: '50.00' } },
  });
  const used = { model: 'small', input_tokens: 1_000_000, output_tokens: 0 };
  await colleague.client.call('tokenUsage.record', { record_id: 'r1', ...used });
  await tile('Cost this month').getByText('$10.00', { exact: true }).waitFor();
  await tile('Cost this month').getByText('20% of $50.00').waitFor();
  // As in the terminal and the commands: 40.999 % are 40 %.
  await colleague.client.call('tokenUsage.record', { record_id: 'r2', ...used, input_tokens: 1_049_950 });
  await tile('Cost this month').getByText('40% of $50.00').waitFor();
  const run = { source: 'shop', status: 'succeeded', started_at: new Date().toISOString() } as const;
  const results = ['succeeded', 'succeeded', 'failed', 'running', 'cancelled'] as const;
  await colleague.client.call('scrapingRuns.record', {
    runs: results.map((status) => ({ ...run, run_id: status + crypto.randomUUID(), status })),
  });
  await tile('Scraping this month').getByText('66%', { exact: true }).waitFor();
  await tile('Scraping this month').getByText('of 3 runs succeeded').waitFor();
  const activity = page.getByRole('region', { name: 'Latest activity' });
  await activity.getByText('opened a conversation: Smoke').waitFor();
  await colleague.client.call('issues.update', { ids: [id], set: { status: 'Resolved' } });
  await activity.getByText(`${colleague.email} set issue ${id} to Resolved`).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await activity.getByText(`reported issue ${id}: It burns`).click();
  await page.getByRole('dialog').getByText('It burns').waitFor();
  await page.goBack();
  await tile('Critical').getByText('1', { exact: true }).waitFor();
  await tile('Critical').click();
  await page.getByText('1 issue', { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?status=Open&severity=Critical');
});

test('a superadmin removes the example data on the overview, and others are not asked', async () => {
  const { backoffice } = dashboard;
  const { databaseUrl } = backoffice.service;
  await seed(databaseUrl, { ...smallSeed, issues: 3, conversations: 3, append: true });
  const other = await dashboard.open('/', { as: await backoffice.service.signIn('admin') });
  await other.getByRole('region', { name: 'Latest activity' }).waitFor();
  expect(await other.getByRole('button', { name: 'Remove examples' }).count()).toBe(0);
  const page = await dashboard.open('/');
  const remove = page.getByRole('button', { name: 'Remove examples' });
  await remove.waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await remove.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await remove.waitFor({ state: 'detached' });
  expect(await backoffice.sql('select from scraping_runs where source like $1', ['%.example.%'])).toEqual([]);
  expect(await backoffice.sql(`select from issues where title = 'High'`)).not.toEqual([]);
});
