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

test('arrows move along the bars and say their values, own severities are one series, and a bar leads to its issues', async () => {
  const page = await dashboard.open('/charts?period=all');
  const trend = 'Reported issues';
  await expect.poll(() => namesOf(page, trend)).toHaveLength(30);
  const bars = (await namesOf(page, trend)).filter((name) => !name?.endsWith(': 0'));
  expect(bars).toContainEqual(expect.stringMatching(/: 2, Medium 1, Other severities 1$/));
  // A zero has no bar, neither here nor in the lists.
  expect(await card(page, trend).locator('[aria-label$=": 0"] > [style*="height"]').count()).toBe(0);
  const progress = card(page, 'By status').getByRole('link', { name: 'In Progress 0' });
  expect(await progress.locator('[style*="width"]').count()).toBe(0);
  await card(page, 'By severity').getByRole('link', { name: 'Other: Urgent 1' }).waitFor();

  // The bars are one stop of the Tab key, which begins at the last.
  await card(page, trend).locator('[data-bar][tabindex="0"]').focus();
  for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  const focused = async () =>
    String(await page.evaluate('document.activeElement.getAttribute("aria-label")'));
  const [title = '', values] = (await focused()).split(': ');
  expect(values).toBe('1, High 1');
  await card(page, trend).locator('strong').getByText(title).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByText('1 issue', { exact: true }).waitFor();
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
  await page.getByText('7 issues', { exact: true }).waitFor();
  await expect.poll(() => namesOf(page, trend)).toHaveLength(52);
});

test('each chart has a table in its place, and a CSV file that spreadsheets do not run', async () => {
  const page = await dashboard.open('/charts');
  const status = card(page, 'By status');
  await status.getByRole('list').waitFor();
  const before = await status.boundingBox();
  await page.getByRole('button', { name: 'As a table: By status' }).click();
  const table = page.getByRole('region', { name: 'By status, as a table' });
  await expect
    .poll(() => table.getByRole('row').allTextContents())
    .toEqual(['StatusIssues', 'Open4', 'In Progress0', 'Resolved1', 'Closed2']);
  expect(await status.boundingBox()).toEqual(before);
  expect(await status.getByRole('list').count()).toBe(0);
  const csv = await save(page, 'CSV: By category');
  expect(csv.name).toMatch(/^issues-by-category-\d{4}-\d\d-\d\d\.csv$/);
  const rows = `\uFEFFCategory,Issues\r\nSearch,4\r\nPayments,2\r\n"'=SUM(1,2)",1\r\n`;
  expect(csv.content.toString()).toBe(rows);

  await page.getByRole('link', { name: '=SUM(1,2)' }).click();
  await page.getByText('1 issue', { exact: true }).waitFor();
});

test('the overview counts what waits, links to it, and shows what colleagues do as they do it', async () => {
  const colleague = await dashboard.backoffice.service.signIn('user');
  const page = await dashboard.open('/', { as: await dashboard.backoffice.service.signIn('user') });
  const tile = (name: string) => page.locator('dl > div').filter({ has: page.getByRole('link', { name }) });
  await tile('Critical').getByText('1', { exact: true }).waitFor();
  await tile('Unread').getByText('0', { exact: true }).waitFor();
  // Open: Critical, High, Urgent, and Low of the test before. They add up.
  await tile('Open issues').getByText('4', { exact: true }).waitFor();
  await tile('Open issues').getByText('1 of other severities').waitFor();
  await tile('Scraping this month').getByText('No runs', { exact: true }).waitFor();
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
  const projected = { record_id: 'r3', ...used, input_tokens: 1_950_060 };
  await colleague.client.call('tokenUsage.record', projected);
  await tile('Cost this month').getByText('80% of $50.00').waitFor();
  await tile('Cost this month').getByText('Warning').waitFor();
  const run = { source: 'shop', status: 'succeeded', started_at: new Date().toISOString() } as const;
  const results = ['succeeded', 'succeeded', 'failed', 'running', 'cancelled'] as const;
  await colleague.client.call('scrapingRuns.record', {
    runs: results.map((status) => ({ ...run, run_id: status + crypto.randomUUID(), status })),
  });
  await tile('Scraping this month').getByText('66%', { exact: true }).waitFor();
  await tile('Scraping this month').getByText('2 succeeded, 1 failed').waitFor();
  const activity = page.getByRole('region', { name: 'Latest activity' });
  await activity.getByText('Opened a conversation: Smoke').waitFor();
  await colleague.client.call('issues.update', { ids: [id], set: { status: 'Resolved' } });
  await activity.getByText(`Set issue ${id} to Resolved${colleague.email} ·`).waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await activity.getByText(`Reported issue ${id}: It burns`).click();
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
