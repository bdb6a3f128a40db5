import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { webHere } from '../support/page.ts';
import { dialog, live, row, save, submit, undo } from './steps.ts';

const dashboard = webHere();

describe('usage', () => {
  const { sql } = dashboard.backoffice;

  const prices = '{"small": {"input": "3", "output": "1"}, "old": "not a price"}';
  const used = { output_tokens: 0, provider: 'example-ai', occurred_at: '2024-02-03T10:00:00Z' };

  beforeAll(async () => {
    const { client } = dashboard.backoffice.superadmin;
    await client.call('settings.update', {
      updates: { token_prices: prices, token_budgets: '{"total":"50"}', currency: 'USD' },
    });
    await client.call('tokenUsage.record', {
      records: [
        { ...used, record_id: 'r1', model: 'small', input_tokens: 2_000_000 },
        { ...used, record_id: 'r2', model: 'large', input_tokens: 1_000_000, succeeded: false },
      ],
    });
  });

  const colleague = async () => (await dashboard.backoffice.service.signIn('admin')).client;
  const tile = (page: Page, name: string) =>
    page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]');
  const stored = async (key: string) => {
    const value = 'select setting_value as value from settings where setting_key = $1';
    const [row] = await sql<{ value: string }>(value, [key]);
    return row?.value ?? '';
  };

  test('shows the cost and the tokens of a month by day and model, and saves them as CSV', async () => {
    const page = await dashboard.open('/usage?month=2024-02');
    await page.getByText('$6.00', { exact: true }).first().waitFor();
    await page.getByText('Without 1,000,000 tokens that have no price').waitFor();
    await expect.poll(() => tile(page, 'Budget used').textContent()).toBe('12% of $50.00');
    await expect.poll(() => tile(page, 'Failed').textContent()).toBe('1');
    await page.getByText('Tokens', { exact: true }).and(page.locator('label, label *')).first().click();
    const day = 'Saturday, February 3, 2024: 3,000,000, small 2,000,000, large 1,000,000';
    await page.getByRole('img', { name: day }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?month=2024-02&measure=tokens');
    expect((await save(page, 'CSV: Models')).name).toBe('models-2024-02.csv');
  });

  test('leads through the months up to the current one, which goes on live', async () => {
    const page = await dashboard.open('/usage?month=2024-02');
    await page.getByRole('button', { name: 'Previous month' }).press('Enter');
    await page.getByText('No requests in this month.').first().waitFor();
    await page.getByRole('button', { name: 'Jan 2024' }).press('Enter');
    await page.getByRole('menuitemradio').first().press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await expect.poll(() => page.getByRole('button', { name: 'Next month' }).isDisabled()).toBe(true);
    await live(page);
    await expect.poll(() => tile(page, 'Requests').textContent()).toBe('0');
    await (await colleague()).call('tokenUsage.record', {
      records: [{ record_id: 'now', model: 'small', input_tokens: 10, output_tokens: 1 }],
    });
    await expect.poll(() => tile(page, 'Requests').textContent()).toBe('1');
  });

  test('adds a price where one is missing, keeps what it cannot read, and undoes it', async () => {
    const page = await dashboard.open('/usage?month=2024-02');
    await page.getByText('Unreadable: The price of "old"').waitFor();
    await page.getByRole('link', { name: 'No price: add one' }).click();
    const form = dialog(page, 'Prices');
    await expect.poll(() => form.getByRole('textbox', { name: 'Model' }).last().inputValue()).toBe('large');
    await form.getByLabel('Input', { exact: true }).last().fill('1,5');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => form.getByText('Enter a price such as 0.15.').count()).toBe(2);
    await form.getByLabel('Input', { exact: true }).last().fill('1.5');
    await form.getByLabel('Output').last().fill('2');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Prices saved.').waitFor();
    await page.getByRole('row', { name: /large/ }).getByText('$1.50').first().waitFor();
    const added = { ...JSON.parse(prices), large: { input: '1.5', output: '2' } };
    expect(JSON.parse(await stored('token_prices'))).toEqual(added);
    await undo(page, 'Prices saved.');
    await page.getByText('Prices are as they were.').waitFor();
    await page.getByRole('link', { name: 'No price: add one' }).waitFor();
    expect(await stored('token_prices')).toBe(prices);
  });

  test('changes a price from the current month on, and says since when prices hold', async () => {
    const page = await dashboard.open('/usage?month=2024-02');
    await page.getByRole('link', { name: 'Edit prices' }).click();
    const form = dialog(page, 'Prices');
    await form.getByLabel('Input', { exact: true }).first().fill('7');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Prices saved.').waitFor();
    const month = new Date().toISOString().slice(0, 7);
    const { small } = JSON.parse(await stored('token_prices'));
    expect(small).toEqual([
      { input: '3', output: '1' },
      { input: '7', output: '1', since: month },
    ]);
    await page.getByRole('row', { name: /^small \$3.00 .* Always$/ }).waitFor();
    await page.getByRole('row', { name: /^small \$7.00 .* \w+ \d{4}$/ }).waitFor();
    await page.getByText('$6.00', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Edit prices' }).click();
    await form.getByText(/^Since \w+ \d{4}$/).waitFor();
    await page.keyboard.press('Escape');
  });

  test('keeps the budgets of a colleague', async () => {
    const page = await dashboard.open('/usage?month=2024-02', { expected: [409] });
    await page.getByRole('link', { name: 'Edit budgets' }).click();
    const form = dialog(page, 'Budgets');
    await submit(form, { 'All models together': '0' }, 'Save');
    await form.getByText('Enter an amount above 0, such as 50.00.').waitFor();
    const theirs = '{"total":"70","models":{"small":"5"}}';
    await (await colleague()).call('settings.update', { key: 'token_budgets', value: theirs });
    await submit(form, { 'All models together': '60' }, 'Save');
    await form.getByText('Changed meanwhile: token_budgets has another value now.').waitFor();
    expect(await stored('token_budgets')).toBe(theirs);
    // It shows what the colleague has made of it, and replaces only what both have changed.
    const values = form.getByRole('alert').getByRole('definition');
    await expect.poll(() => values.allInnerTexts()).toEqual(['50  70', '5']);
    await form.getByRole('button', { name: 'Save anyway' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.getByText('$60.00 a month').waitFor();
    expect(JSON.parse(await stored('token_budgets'))).toEqual({ total: '60', models: { small: '5' } });
  });
});

describe('scraping', () => {
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

  test('shows the runs of a month in figures, and leads from a source to its runs', async () => {
    const page = await dashboard.open('/scraping?month=2024-02');
    await page.getByText('2,700 succeeded, 300 failed').waitFor();
    await page.getByText('1 min 30 s').first().waitFor();
    await page.getByRole('link', { name: 'news.example.org' }).click();
    await page.getByText('1,500 runs').waitFor();
    await page.getByRole('button', { name: 'Status' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click();
    await page.getByText('300 runs').waitFor();
    const shown = '?month=2024-02&view=runs&source=news.example.org&status=failed';
    await expect.poll(() => new URL(page.url()).search).toBe(shown);
  });

  test('makes an issue from an error of a run, which then leads to it', async () => {
    const page = await dashboard.open('/scraping?month=2024-02&view=runs&q=run+2990');
    await row(page, 'run 2990').waitFor();
    await page.getByRole('grid', { name: 'Runs' }).press('Enter');
    const drawer = dialog(page, 'Run');
    await drawer.getByText('No answer to run 2990').waitFor();
    await drawer.getByRole('button', { name: 'Make an issue' }).click();
    const form = dialog(page, 'Report an issue');
    const title = 'news.example.org: No answer to run 2990';
    await expect.poll(() => form.getByLabel('Title').inputValue()).toBe(title);
    await expect.poll(() => form.getByLabel('Description').inputValue()).toContain('HTTP_ERROR 503');
    await form.getByRole('button', { name: 'Report' }).click();
    await drawer.getByRole('link', { name: /^Issue \d+: news.example.org: No answer/ }).click();
    await dialog(page, 'Issue').getByRole('heading', { name: title }).waitFor();
    expect(await dashboard.backoffice.sql('select 1 from issue_links')).toHaveLength(1);
  });

  test('shows all errors of a month, page by page', async () => {
    const page = await dashboard.open('/scraping?month=2024-02&view=errors');
    await page.getByText('No answer to run 3000').waitFor();
    await page.getByRole('button', { name: 'Show older errors' }).click();
    await page.getByText('No answer to run 1010').waitFor();
  });

  test('shows what scrapers report now, without a jump', async () => {
    const page = await dashboard.open('/scraping?view=runs');
    await page.getByText('No runs in this month').waitFor();
    await live(page);
    const { client } = await dashboard.backoffice.service.signIn('user');
    const run = { run_id: 'live', source: 'live.example.org', status: 'running' as const };
    await client.call('scrapingRuns.record', run);
    await page.getByRole('button', { name: '1 new' }).click();
    await row(page, 'live.example.org').getByText('Running').waitFor();
    await client.call('scrapingRuns.record', { ...run, status: 'failed', items_scraped: 7 });
    await row(page, 'live.example.org').getByText('Failed').waitFor();
  });
});
