import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { cellsOf } from '../../../../cli/terminal/cells.ts';
import { type Dashboard, silentAccess } from '../../../support/run/dashboard.ts';
import { dashboardHere } from '../../../support/run/dashboard-here.ts';

describe('the usage screen', () => {
  const tests = dashboardHere({ issues: 10, conversations: 0 });
  const record = (run: object) =>
    tests.client.call('scrapingRuns.record', { runs: [run as { readonly run_id: string }] } as never);

  beforeAll(async () => {
    const updates = {
      token_budgets: '{"total":"10.00"}',
      token_prices: '{"small":{"input":"1","output":"1"}}',
      timezone: 'Mars/Olympus',
    };
    await tests.client.call('settings.update', { updates });
    const records = [
      { record_id: 'one', model: 'small', input_tokens: 8_500_000, output_tokens: 0 },
      { record_id: 'two', model: 'other', input_tokens: 0, output_tokens: 42 },
    ];
    await tests.client.call('tokenUsage.record', { records });
    await record({ run_id: 'done', source: 'jobs.example.org', status: 'succeeded' });
  });

  test('shows the tokens, the scraping and the runs of the month, and new runs as they come', async () => {
    const dashboard = tests.open({ rows: 40 });
    await dashboard.after('6', '▸Tokens and cost');
    const tokens = await dashboard.shows(/budget {4}█{20}░{4} 85 % of 10\.00 USD/);
    expect(tokens).toMatch(/requests {2}2, of which 0 failed[\s\S]*cost {6}8\.5000 USD\n +without 42 tokens/);
    expect(tokens).toMatch(/time zone unreadable: The setting timezone[\s\S]*Alerts\n +warning: The cost of/);
    expect(tokens).toMatch(/Tokens by model\n +small +8,500,000 tokens {2}█+\n +other +42 tokens {2}▏/);
    expect(tokens).toMatch(/Tokens by day {2}8,500,042 tokens on the highest day/);
    await dashboard.after('G', /\d-01 +[\d,]+ tokens +[\d.]+ USD/);
    await dashboard.after('l', /100 % of 1 run succeeded, [\s\S]*By source\n +SOURCE +RUNS +SUCCESS/);
    await dashboard.after('l', /❯ +\S+ +(running|succeeded|failed|cancelled) /);
    await dashboard.shows('● live');
    await record({ run_id: 'just-begun', source: 'news.example.org', pages_succeeded: 1_234 });
    await dashboard.shows(/• +news\.example\.org +running +1,234 .* now/);
    await dashboard.after('/ "just-begun" enter', / 1 of 1 /);
    await dashboard.after('esc h h h', '▸Errors');
  });

  test('draws no line that is wider than the terminal', async () => {
    const widthOf = (dashboard: Dashboard) => Math.max(...dashboard.lines().map(cellsOf));
    const dashboard = tests.open({ columns: 60, rows: 15 });
    await dashboard.after('6', 'budget');
    for (const [columns, rows] of [
      [60, 15],
      [109, 30],
      [300, 80],
    ] as const) {
      dashboard.resize(columns, rows);
      for (const pattern of ['▸Scraping', '▸Runs', '▸Errors', '▸Tokens and cost']) {
        await dashboard.after('l', pattern);
        expect(widthOf(dashboard)).toBeLessThanOrEqual(columns);
        expect(dashboard.lines()).toHaveLength(rows);
      }
    }
  });

  test('reports an issue from a scraping error, and both show the link', async () => {
    const url = 'https://shop.example.org/page/7';
    const message = 'The shop is \u001B[2J closed.';
    const errors = [{ url, code: 'HTTP_ERROR', http_status: 503, message }];
    await record({ run_id: 'closed', source: 'shop.example.org', errors });
    const dashboard = tests.open({ columns: 140, rows: 40 });
    await dashboard.after('6 h enter', /❯.* shop\.example\.org +HTTP_ERROR 503 +The shop is �\[2J closed\./);
    expect(await dashboard.shows('── Scraping error')).toMatch(/Where +shop\.example\.org, run closed/);
    await dashboard.after('i', '── New issue');
    // A form without changes does not count as unsaved.
    dashboard.press('esc');
    expect(dashboard.app.unfinished()).toEqual([]);
    await dashboard.after('i', '── New issue');
    await dashboard.after('ctrl+u "The shop is closed." ctrl+s', /❯.* HTTP_ERROR 503 .* #\d+ *\n/);
    await dashboard.shows(/→ #\d+ The shop is closed\. +Open/);
    await dashboard.after(
      'i',
      /Already reported[\s\S]*❯ Go to #\d+ The shop is closed\.\n.*Report another issue/,
    );
    await dashboard.after('enter', /▸1 Issues[\s\S]*❯.*The shop is closed\./);
    await dashboard.after('enter', '→ scraping error: The shop is �[2J closed.');
    await dashboard.shows(url);
    await dashboard.after('esc esc esc', '▸Errors');
  });

  test('drops late answers, and keeps what is there if a refresh fails', async () => {
    const { access } = tests;
    const held: ((fail?: Error) => void)[] = [];
    const call = async (id: string, input: never) => {
      const answer = await access.call(id as never, input);
      if (id === 'settings.show' && Object.keys(input).length === 0)
        await new Promise<void>((resolve, reject) => {
          held.push((failure) => (failure === undefined ? resolve() : reject(failure)));
        });
      return answer;
    };
    const dashboard = tests.openWith({ ...silentAccess, call: call as Access['call'] });
    await dashboard.after('6', 'Loading…');
    await expect.poll(() => held.length).toBe(1);
    const before = dashboard.app.screen().refresh();
    await expect.poll(() => held.length).toBe(2);
    held[1]?.();
    await dashboard.shows('budget');
    held[0]?.(new Error('Too late.'));
    await before;
    const failing = dashboard.app.screen().refresh();
    await expect.poll(() => held.length).toBe(3);
    held[2]?.(new Error('It is broken.'));
    await failing;
    expect(await dashboard.shows('✗ It is broken.')).toContain('budget');
    expect(dashboard.frame()).not.toContain('Too late.');
  });

  test('offers no report to a read-only user', async () => {
    const dashboard = tests.open({ isReadOnly: true });
    await dashboard.after('6 h', /❯.* HTTP_ERROR/);
    await dashboard.after('i', /read-only/);
  });
});
