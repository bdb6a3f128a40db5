import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { beforeAnswer, fail, live, save, startConversation } from './steps.ts';

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
  const heights = card(page, ages).locator('text[text-anchor="end"]');
  expect(await heights.allTextContents()).toEqual(['0', '1', '2']);
  await page.getByText('24 hours', { exact: true }).click();
  await expect.poll(() => namesOf(page, ages)).toHaveLength(2);
  await expect.poll(() => new URL(page.url()).search).toBe('?period=hourly');
  await page.goto(`${page.url().split('?')[0]}?period=all`);
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
  const weeks = await namesOf(page, trend);
  expect(weeks.filter((name) => !name?.endsWith(': 0')).length).toBeGreaterThan(2);
  // The last week is under way, so its link has no end.
  await card(page, trend).locator('[data-bar]').last().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Reported from ((?!before).)*, clear$/ }).waitFor();
  expect(new URL(page.url()).searchParams.has('until')).toBe(false);
});

test('each chart has a table, a CSV file that spreadsheets do not run, and a picture in its colours', async () => {
  const page = await dashboard.open('/charts', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'As a table: By status' }).click();
  const table = page.getByRole('region', { name: 'By status, as a table' });
  await expect
    .poll(() => table.getByRole('row').allTextContents())
    .toEqual(['StatusIssues', 'Open4', 'In Progress0', 'Resolved1', 'Closed2']);
  const csv = await save(page, 'CSV: By category');
  expect(csv.name).toMatch(/^issues-by-category-\d{4}-\d\d-\d\d\.csv$/);
  const rows = `\uFEFFCategory,Issues\r\nSearch,4\r\nPayments,2\r\n"'=SUM(1,2)",1\r\n`;
  expect(csv.content.toString()).toBe(rows);
  const { content } = await save(page, 'CSV: Age of the issues');
  expect(content.toString().split('\r\n').slice(0, 2)).toEqual([
    '\uFEFFReported,Critical,High,Medium,Low,Urgent,All',
    'In the last hour,0,0,0,1,0,1',
  ]);
  const picture = await save(page, 'PNG: Age of the issues');
  expect(picture.name).toMatch(/\.png$/);
  const colours = await coloursOf(page, picture.content);
  // The surface, and Critical, High, Medium, Low and other severities.
  for (const colour of ['#ffffff', '#b4232c', '#b54708', '#8a6100', '#55606e', '#6741d9'])
    expect(colours).toContain(colour);

  await page.getByRole('link', { name: '=SUM(1,2)' }).click();
  await page.getByText('1 issue', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: /^Urgent/ }).click();
  await page.getByText('1 issue', { exact: true }).waitFor();
});

/** Returns the colours of a picture. */
async function coloursOf(page: Page, picture: Buffer): Promise<readonly string[]> {
  return await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture.toString('base64')}';
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add('#' + new Uint8Array(data.slice(at, at + 3)).toHex());
    return [...found];
  })()`);
}

test('paper has the charts and their tables with the date, and nothing to press, in black on white', async () => {
  const page = await dashboard.open('/charts', { colorScheme: 'dark' });
  await card(page, 'By severity').getByRole('link', { name: 'Urgent' }).waitFor();
  const table = page.getByRole('table').first();
  expect(await table.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  await table.waitFor();
  await page.getByText(String(new Date().getFullYear())).first().waitFor();
  for (const role of ['navigation', 'banner', 'button'] as const)
    expect(await page.getByRole(role).count(), role).toBe(0);
  // The place that a chart keeps while it is loaded is not left empty.
  const severities = card(page, 'By severity');
  const gap = async () => {
    const bars = await severities.getByRole('list').first().boundingBox();
    const below = await severities.getByRole('table').boundingBox();
    return bars && below && below.y - bars.y - bars.height;
  };
  await expect.poll(gap).toBeLessThan(40);
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
  const run = { source: 'shop', status: 'succeeded', started_at: new Date().toISOString() } as const;
  await colleague.client.call('scrapingRuns.record', { run_id: 'r1', ...run });
  await tile('Scraping this month').getByText('100%', { exact: true }).waitFor();
  await tile('Scraping this month').getByText('last just now').waitFor();
  await tile('Scraping this month').getByText('of 1 run succeeded').waitFor();
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

test('a chart that could not be loaded says why, and is loaded on demand', async () => {
  const page = await dashboard.open('/conversations', { expected: [500] });
  await fail(page, '**/api/admin/issues/trend?*', 'The database is unavailable.');
  await page.getByRole('navigation').getByRole('link', { name: 'Charts' }).click();
  await card(page, 'By status').getByRole('link', { name: 'In Progress' }).waitFor();
  await card(page, 'Reported issues').getByText('The database is unavailable.').waitFor();
  await page.unroute('**/api/admin/issues/trend?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => namesOf(page, 'Reported issues')).toHaveLength(30);
});

test('on a phone, the axes are whole, and many unknown severities are one series, which leave the chart its place', async () => {
  const page = await dashboard.open('/charts', { viewport: { width: 375, height: 812 } });
  const trend = card(page, 'Reported issues');
  for (const [period, bars] of [
    ['7 days', 7],
    ['52 weeks', 52],
    ['30 days', 30],
  ] as const) {
    await trend.getByText(period, { exact: true }).click();
    await expect.poll(() => trend.locator('[data-bar]').count()).toBe(bars);
    const cut = await page.evaluate(`
      [...document.querySelectorAll('svg g[aria-hidden] text')].filter((text) => {
        const [label, chart] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
        return label.left < chart.left || label.right > chart.right;
      }).map(({ textContent }) => textContent)
    `);
    expect(cut).toEqual([]);
  }

  await dashboard.backoffice.sql(
    `insert into issues (title, severity, category) select 'Odd', 'Odd ' || n, 'Odd' from generate_series(1, 30) n`,
  );
  await page.reload();
  const ages = 'Age of the issues';
  const last = /^In the last hour: .*Odd 1 1, Odd 10 1, Odd 11 1, Other severities 27$/;
  await expect.poll(() => namesOf(page, ages)).toContainEqual(expect.stringMatching(last));
  const heightOf = async (part: string) => (await card(page, ages).locator(part).boundingBox())?.height ?? 0;
  expect(await heightOf('figure')).toBe(268);
  expect(await heightOf('svg[role=group]')).toBeGreaterThan(160);
});

test('the overview shows what happens while it loads', async () => {
  const page = await dashboard.open('/profile');
  const colleague = (await dashboard.backoffice.service.signIn('user')).client;
  await beforeAnswer(page, /\/api\/admin\/events\/latest\?limit=50/, async () => {
    // The page asks for its name when it has received both events.
    const received = page.waitForRequest(/\/branding\.json$/);
    await colleague.call('comments.create', { issue_id: 1, content: 'Not lost' });
    await colleague.call('settings.update', { key: 'site_name', value: 'Acme' });
    await received;
  });
  await page.goto(dashboard.backoffice.service.url);
  await card(page, 'Latest activity').getByText('commented on issue 1: Not lost').waitFor();
});
