import { describe, expect, test } from 'vitest';
import { dashboardHere } from '../../../../support/run/dashboard-here.ts';

describe('the usage screen', () => {
  const tests = dashboardHere({ issues: 10, conversations: 0 });

  test('shows the token usage and the scraping', async () => {
    const dashboard = tests.open();
    dashboard.press('6');
    await dashboard.shows('▸Tokens and cost');
    await dashboard.shows('Budget');
    dashboard.press('l');
    await dashboard.shows('By source');
    dashboard.press('l');
    await dashboard.shows(/❯ +\w+ +(running|succeeded|failed|cancelled) /);
    const { client } = tests;
    const run = { run_id: 'just-begun', source: 'news.example.org', pages_succeeded: 1_234 };
    await client.call('scrapingRuns.record', { runs: [run] });
    dashboard.press('ctrl+r');
    await dashboard.shows(/• +now +running +news\.example\.org .* 1,234/);
  });

  test('ignores a late answer, for the numbers and for the errors', async () => {
    const { dashboard, held } = tests.openHolding('settings.show');
    dashboard.press('6', 'l');
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.();
    await dashboard.shows('By source');
    const refreshes = [dashboard.app.screens.usage.refresh()];
    await expect.poll(() => held.length).toBe(2);
    const { client } = tests;
    await client.call('scrapingRuns.record', { runs: [{ run_id: 'late', source: 'late.example.org' }] });
    refreshes.push(dashboard.app.screens.usage.refresh());
    await expect.poll(() => held.length).toBe(3);
    await held[2]?.();
    await refreshes[1];
    await held[1]?.();
    await Promise.all(refreshes);
    dashboard.press('l');
    await dashboard.shows('▸Runs');
    dashboard.press('h');
    expect(await dashboard.shows('▸Scraping')).toContain('late.example.org');
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
    dashboard.press('2');
    await dashboard.shows('Age of the issues');
    dashboard.press(':');
    dashboard.write('from the scraping error');
    dashboard.press('enter');
    expect(await dashboard.shows('── Report an issue')).toMatch(
      /❯.* HTTP_ERROR 503 +shop\.example\.org +The shop is closed\./,
    );
    // A form without changes does not count as unsaved.
    dashboard.press('esc');
    expect(dashboard.app.unsaved()).toEqual([]);
    dashboard.press('i', 'ctrl+s');
    await dashboard.shows(/❯.*The shop is closed\..* #\d+ *\n/);
    await dashboard.shows(/→ #\d+ The shop is closed\. +Open/);
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    dashboard.press('1');
    await dashboard.shows(/^[❯ ] [• ] *\d+ +The shop is closed\./m);
    dashboard.press('g', 'enter');
    await dashboard.shows('→ scraping error: The shop is closed.');
    await dashboard.shows('https://shop.example.org/page/7');
  });
});
