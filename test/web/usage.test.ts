import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { dialog, live, row, save, seen } from './steps.ts';

const dashboard = webHere();

describe('usage', () => {
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
  const addressOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length);
  const tile = (page: Page, name: string) =>
    page.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]');

  test('shows the cost and the tokens of a month by day and model', async () => {
    const page = await dashboard.open('/usage?month=2024-02');
    await page.getByText('$6.00', { exact: true }).first().waitFor();
    await page.getByText('Without 1,000,000 tokens that have no price').waitFor();
    await expect.poll(() => tile(page, 'Budget used').textContent()).toBe('12% of $50.00');
    await expect.poll(() => tile(page, 'Failed').textContent()).toBe('1');
    await page.getByText('Tokens', { exact: true }).and(page.locator('label, label *')).first().click();
    const day = 'Saturday, February 3, 2024: 3,000,000, small 2,000,000, large 1,000,000';
    await page.getByRole('img', { name: day }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?month=2024-02&measure=tokens');
    await row(page, 'large').getByText('1,000,000').first().waitFor();
    await row(page, 'small').getByText('$3.00', { exact: true }).first().waitFor();
    await page.getByText('Unreadable: The price of "old"').waitFor();
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

  test('leads from a missing price, and from the address of its form, to the setting', async () => {
    const page = await dashboard.open('/usage?month=2024-02');
    await page.getByRole('link', { name: 'No price: add one' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => addressOf(page)).toMatch(/^\/settings\?setting=token_prices/);
    // Back leads to the usage, and not to the address that only leads on.
    await page.goBack();
    await page.evaluate(`history.pushState(null, '', '/usage?edit=budgets')`);
    await expect.poll(() => addressOf(page)).toBe('/settings?setting=token_budgets');
    await page.goBack();
    await expect.poll(() => addressOf(page)).toBe('/usage?month=2024-02');
    await page.getByRole('link', { name: 'Edit prices' }).waitFor();
  });

  test('warns of a budget from 80% on, beside the chart and without a colour alone', async () => {
    const { client } = dashboard.backoffice.superadmin;
    await client.call('tokenUsage.record', {
      records: [{ record_id: 'more', model: 'small', input_tokens: 2_000_000, output_tokens: 0 }],
    });
    const page = await dashboard.open('/usage');
    await expect.poll(() => tile(page, 'Budget used').textContent()).toBe('12% of $50.00');
    await live(page);
    await client.call('settings.update', {
      key: 'token_budgets',
      value: '{"total":"7","models":{"small":"6"}}',
    });
    await expect.poll(() => tile(page, 'Budget used').textContent()).toBe('85% of $7.00Warning');
    const alerts = page.getByRole('region', { name: 'Alerts' }).getByRole('listitem');
    await seen(alerts.getByText('Critical'));
    await expect
      .poll(() => alerts.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Critical.*small has reached 100% of its budget of \$6.00/s),
        expect.stringMatching(/^Warning.*The cost (has reached 80%|is projected to exceed)/s),
      ]);
    await page.getByRole('link', { name: '2 alerts' }).waitFor();
    await page.getByRole('button', { name: /^Show all \d$/ }).click();
    await alerts.getByText('Notice').first().waitFor();
    await client.call('settings.update', { key: 'token_budgets', value: '{"total":"6"}' });
    await expect.poll(() => tile(page, 'Budget used').textContent()).toBe('100% of $6.00Critical');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
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
    await page.getByRole('option', { name: 'Failed' }).click();
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
    const source = { name: 'news.example.org', exact: true };
    await page
      .getByRole('listitem')
      .filter({ hasText: 'No answer to run 2990' })
      .getByRole('link', source)
      .click();
    await dialog(page, 'Run run 2990').getByText('No answer to run 2990', { exact: true }).waitFor();
    await page.getByText('3,000 runs').waitFor();
    const { content } = await save(page, 'CSV: runs');
    expect(String(content)).toContain(
      'run 3000,news.example.org,failed,10,0,0,20,1,2024-02-03T02:00:00.000Z',
    );
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
    // A rate of no runs is none.
    await page.getByText('Summary', { exact: true }).click();
    await page.getByText('No run has succeeded or failed yet').waitFor();
    await page.getByText('0 cancelled, 1 running').waitFor();
    await page.goBack();
    await client.call('scrapingRuns.record', { ...run, status: 'failed', items_scraped: 7 });
    await row(page, 'live.example.org').getByText('Failed').waitFor();
  });
});
