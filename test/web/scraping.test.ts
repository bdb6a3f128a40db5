import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { webHere } from '../support/page.ts';

const dashboard = webHere();
const total = 3_000;

// One run a minute from the first of February on. Each tenth fails, with an error.
beforeAll(async () => {
  await dashboard.backoffice.sql(
    `insert into scraping_runs (run_id, source, status, started_at, finished_at, pages_succeeded, items_scraped)
     select 'run ' || n, case when n % 2 = 0 then 'news.example.org' else 'shop.example.org' end,
       case when n % 10 = 0 then 'failed' else 'succeeded' end, at, at + interval '90 seconds', 10, 20
     from generate_series(1, $1::integer) n, lateral (select timestamptz '2024-02-01Z' + n * interval '1 minute' as at) as at`,
    [total],
  );
  await dashboard.backoffice.sql(
    `insert into scraping_errors (run_id, url, code, http_status, message, occurred_at)
     select run_id, 'https://news.example.org/7', 'HTTP_ERROR', 503, 'No answer to ' || run_id, finished_at
     from scraping_runs where status = 'failed'`,
  );
});

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('shows the runs of a month in figures, and leads from a source to its runs', async () => {
  const page = await dashboard.open('/scraping?month=2024-02');
  await page.getByText('2,700 succeeded, 300 failed').waitFor();
  await page.getByText('1 min 30 s').first().waitFor();
  await page
    .getByRole('img', { name: 'Thursday, February 1, 2024: 1,439, Succeeded 1,296, Failed 143' })
    .waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV: Sources' }).click();
  expect((await saving).suggestedFilename()).toBe('sources-2024-02.csv');
  await page.getByRole('link', { name: 'news.example.org' }).click();
  await page.getByText('1,500 runs').waitFor();
  await page.getByRole('grid', { name: 'Runs' }).focus();
  await page.keyboard.press('End');
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click();
  await page.getByRole('button', { name: 'Status: Failed' }).waitFor();
  await page.getByText('300 runs').waitFor();
  await expect
    .poll(() => new URL(page.url()).search)
    .toBe('?month=2024-02&view=runs&source=news.example.org&status=failed');
});

test('makes an issue from an error of a run, which then leads to it', async () => {
  const page = await dashboard.open('/scraping?month=2024-02&view=runs&q=run+2990');
  await row(page, 'run 2990').waitFor();
  await page.getByRole('grid', { name: 'Runs' }).press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Run' });
  await drawer.getByText('No answer to run 2990').waitFor();
  await page.goto(page.url());
  await drawer.getByRole('button', { name: 'Make an issue' }).click();
  const form = page.getByRole('dialog', { name: 'Report an issue' });
  await expect
    .poll(() => form.getByLabel('Title').inputValue())
    .toBe('news.example.org: No answer to run 2990');
  await expect.poll(() => form.getByLabel('Description').inputValue()).toContain('HTTP_ERROR 503');
  await form.getByRole('button', { name: 'Report' }).click();
  await drawer.getByRole('link', { name: /^Issue \d+: news.example.org: No answer/ }).click();
  await page
    .getByRole('dialog', { name: /^Issue/ })
    .getByText('news.example.org: No answer to run 2990')
    .first()
    .waitFor();
  expect(await dashboard.backoffice.sql('select 1 from issue_links')).toHaveLength(1);
});

test('shows all errors of a month, page by page', async () => {
  const page = await dashboard.open('/scraping?month=2024-02&view=errors');
  await page.getByText('No answer to run 3000').waitFor();
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'HTTP_ERROR 503' }).count()).toBe(100);
  await page.getByRole('button', { name: 'Show older errors' }).click();
  await page.getByText('No answer to run 1010').waitFor();
});

test('shows what scrapers report now, without a jump', async () => {
  const page = await dashboard.open('/scraping?view=runs');
  await page.getByText('No runs in this month').waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
  const { client } = await dashboard.backoffice.service.signIn('user');
  const run = { run_id: 'live', source: 'live.example.org', status: 'running' as const };
  await client.call('scrapingRuns.record', run);
  await page.getByRole('button', { name: '1 new' }).click();
  await row(page, 'live.example.org').getByText('Running').waitFor();
  await client.call('scrapingRuns.record', { ...run, status: 'failed', items_scraped: 7 });
  await row(page, 'live.example.org').getByText('Failed').waitFor();
  await client.call('scrapingRuns.record', { ...run, run_id: 'second' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByText('0 succeeded, 1 failed').waitFor();
});
