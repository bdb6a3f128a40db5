import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../../../cli/access/access.ts';
import { NotConnectedError } from '../../../../cli/errors.ts';
import { type Trend, trendLines } from '../../../../cli/tui/screens/charts/trend-lines.ts';
import { type Dashboard, openDashboard } from '../../../support/run/dashboard.tsx';
import { dashboardHere, trendOf } from '../../../support/run/dashboard-here.ts';

describe('the overview', () => {
  // It counts all that there is.
  const tests = dashboardHere();

  beforeAll(async () => {
    const { client } = tests;
    for (const severity of ['Critical', 'Critical', 'High']) {
      await client.call('issues.create', { title: `A ${severity} issue`, severity });
    }
    await client.call('issues.update', { ids: [1], set: { status: 'In Progress' } });
    await client.call('issues.create', { title: 'Solved', severity: 'Critical' });
    await client.call('issues.update', { ids: [4], set: { status: 'Resolved' } });
    const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada Byron', subject: 'An invoice' };
    await client.call('conversations.create', { ...visitor, initial_message: 'Could you send it again?' });
    await client.call('scrapingRuns.record', {
      runs: [
        { run_id: 'one', source: 'news.example.org', status: 'succeeded' },
        // Its success is not known.
        { run_id: 'two', source: 'news.example.org', status: 'running' },
      ],
    });
  });

  test('shows what waits, what it costs and what happened, as it happens', async () => {
    const dashboard = tests.open({ columns: 140, rows: 40 });
    const frame = await dashboard.after('0', 'Latest activity');
    expect(frame).toMatch(/❯ Critical +High +Medium +Low +Unread +Cost this month +Scraping/);
    expect(frame).toMatch(/ 2 +1 +0 +0 +1 +0\.00 USD +100 %/);
    expect(frame).toMatch(/unsettled +unsettled .* conversation +no budget +of 1 run/);
    expect(frame).toContain('grace@example.com set issue 4 to Resolved');
    expect(frame).toContain('grace@example.com opened a conversation: An invoice');
    expect(frame).toContain('Reported issues  4 issues in 30 days, UTC');
    await tests.client.call('issues.create', { title: 'Another\u001B[2J', severity: 'High' });
    const newest = async () => (await tests.client.call('events.list', { limit: 1 })).events[0]?.subject_id;
    await expect.poll(newest).toBe('5');
    dashboard.app.onEvents([{ type: 'issue.created', id: '5' }]);
    await dashboard.shows('grace@example.com reported issue 5: Another�[2J');
    await dashboard.shows(/ 2 +2 +0 +0 +1 /);
  });

  test('goes to what a figure counts, and to what an entry is about', async () => {
    const dashboard = tests.open();
    await dashboard.after('0', '❯ Critical');
    const issues = await dashboard.after('enter', /▸1 Issues[\s\S]*❯ +2 +A Critical issue/);
    expect(issues).not.toMatch(/Solved|A High issue/);
    await dashboard.after('0 j', '❯ Unread');
    await dashboard.after('enter', 'unread only');
    await dashboard.shows('Ada Byron');
    await dashboard.after('0 l l', '❯ Scraping');
    await dashboard.after('enter', 'By source');
    await dashboard.after('0 G enter', /▸1 Issues[\s\S]*\/ 1 /);
  });

  test('counts what is assigned to the person who looks, and goes to it', async () => {
    const { client } = tests;
    const { admin } = await client.call('session.show', {});
    await client.call('issues.update', { ids: [2, 4], set: { assignee_id: admin?.id ?? '' } });
    const identity = { email: 'grace@example.com', role: 'superadmin', isReadOnly: false } as const;
    const dashboard = tests.openWith(client, { identity });
    dashboard.press('0');
    // The other one is resolved.
    await dashboard.shows(/Assigned to you +Unread +Cost[^\n]+\n +1 +/);
    await dashboard.after('j', '❯ Assigned to you');
    expect(await dashboard.after('enter', /▸1 Issues[\s\S]*❯ +2 +A Critical issue/)).not.toContain(
      'A High issue',
    );
  });

  test('shows the other parts if one cannot be loaded, and why if none can', async () => {
    const { access } = tests;
    let isDown = false;
    const call = (id: string, input: never) => {
      if (isDown || id === 'settings.show') return Promise.reject(new Error('It is broken.'));
      return access.call(id as never, input);
    };
    const dashboard = tests.openWith({ call: call as Access['call'] });
    const frame = await dashboard.after('0', 'Latest activity');
    expect(frame).toMatch(/Cost this month +Scraping *\n +1 +\? +\?/);
    isDown = true;
    const other = tests.openWith({ call: call as Access['call'] });
    await other.after('0', '✗ It is broken.');
  });
});

describe('the usage screen', () => {
  const tests = dashboardHere({ issues: 10, conversations: 0 });

  test('shows the token usage and the scraping', async () => {
    const dashboard = tests.open();
    await dashboard.after('6', '▸Tokens and cost');
    await dashboard.shows('Budget');
    await dashboard.after('l', 'By source');
    await dashboard.after('l', /❯ +\w+ +(running|succeeded|failed|cancelled) /);
    const run = { run_id: 'just-begun', source: 'news.example.org', pages_succeeded: 1_234 };
    await tests.client.call('scrapingRuns.record', { runs: [run] });
    await dashboard.after('ctrl+r', /• +now +running +news\.example\.org .* 1,234/);
  });

  test('reports an issue from a scraping error, and both show the link', async () => {
    const url = 'https://shop.example.org/page/7';
    const errors = [{ url, code: 'HTTP_ERROR', http_status: 503, message: 'The shop is closed.' }];
    await tests.client.call('scrapingRuns.record', {
      runs: [{ run_id: 'closed', source: 'shop.example.org', errors }],
    });
    const dashboard = tests.open({ columns: 140, rows: 40 });
    await dashboard.shows('▸1 Issues');
    expect(await dashboard.after(': "from the scraping error" enter', '── Report an issue')).toMatch(
      /❯.* HTTP_ERROR 503 +shop\.example\.org +The shop is closed\./,
    );
    // A form without changes does not count as unsaved.
    dashboard.press('esc');
    expect(dashboard.app.unsaved()).toEqual([]);
    await dashboard.after('i ctrl+s', /❯.*The shop is closed\..* #\d+ *\n/);
    await dashboard.shows(/→ #\d+ The shop is closed\. +Open/);
    dashboard.app.onEvents([{ type: 'issue.created', id: null }]);
    await dashboard.after('1', /^[❯ ] [• ] *\d+ +The shop is closed\./m);
    await dashboard.after('g enter', '→ scraping error: The shop is closed.');
    await dashboard.shows(url);
  });
});

const statisticsOf = (totalIssues: number) => ({
  severityData: [{ period_label: 'Last 24h', severity: 'High', count: totalIssues }],
  severityTotals: [{ severity: 'High', count: totalIssues }],
  statusCounts: [],
  categoryCounts: [],
  totalIssues,
});

/** A call for statistics that waits for its answer. */
interface HeldStatistics {
  readonly period: string;
  answer(totalIssues: number): void;
  fail(error?: Error): void;
}

describe('the charts', () => {
  let dashboard: Dashboard;
  let calls: HeldStatistics[] = [];
  let trend: () => Promise<Trend>;
  afterEach(() => dashboard.close());

  const open = async () => {
    trend = async () => trendOf(Array(30).fill(1));
    const call = (id: string, input: { period?: string } = {}) => {
      if (id === 'issues.trend') return trend();
      if (input.period === undefined) return new Promise(() => {});
      return new Promise((resolve, reject) => {
        calls.push({
          period: input.period ?? '',
          answer: (totalIssues) => resolve(statisticsOf(totalIssues)),
          fail: (error = new Error('It cannot be counted.')) => reject(error),
        });
      });
    };
    dashboard = openDashboard({ call: call as Access['call'] }, { rows: 40 });
    // The issues screen makes the same call for its counts.
    calls = [];
    await dashboard.after('2', 'Loading…');
  };
  const request = async (key: string) => {
    const before = calls.length;
    dashboard.press(key);
    await expect.poll(() => calls.length).toBe(before + 1);
    return calls[before] as HeldStatistics;
  };

  const ages = (count: number) => new RegExp(`1 to 24 hours ago +${count} issues`);

  test('never show the ages of another period', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows(ages(11));
    const hourly = await request('p');
    expect(hourly.period).toBe('hourly');
    expect(await dashboard.shows('▸24 hours')).not.toMatch(ages(11));
    // The period changes only the ages.
    expect(dashboard.frame()).toContain('By severity  11 issues of all time');
    expect(dashboard.frame()).toContain('Reported issues  30 issues in 30 days');
    hourly.fail();
    expect(await dashboard.shows('✗ It cannot be counted.')).not.toMatch(ages(11));
    const daily = await request('p');
    expect(await dashboard.shows('Loading…')).not.toContain('It cannot be counted.');
    daily.answer(33);
    await dashboard.shows(ages(33));
  });

  test('call the ages what they are, leave out those before the period, and use all of a large terminal', async () => {
    await open();
    calls[0]?.answer(11);
    const frame = await dashboard.shows(ages(11));
    expect(frame).toMatch(
      /Age of the issues.*\n.*▸All[\s\S]*In the last hour: none[\s\S]*Over 7 days ago: none/,
    );
    expect(frame).not.toMatch(/Last 24h|Older/);
    (await request('p')).answer(11);
    expect(await dashboard.shows(ages(11))).not.toContain('7 days ago');
    dashboard.resize(200, 60);
    await dashboard.shows(/█{80}/);
    const rows = dashboard.lines().filter((line) => /^ {4}.{3,} ██( ██){20}/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    expect(dashboard.lines()).toHaveLength(59);
  });

  test('ignore answers and failures of a period that is no longer chosen', async () => {
    await open();
    const hourly = await request('p');
    const daily = await request('p');
    calls[0]?.answer(11);
    hourly.fail();
    await dashboard.shows('Loading…');
    daily.answer(33);
    expect(await dashboard.shows(ages(33))).toContain('▸30 days');
    await dashboard.after('P P P', '▸365 days');
  });

  test('report a refresh after the answer, and only if it succeeded', async () => {
    await open();
    calls[0]?.answer(11);
    await dashboard.shows('11 issues');
    const again = await request('ctrl+r');
    expect(dashboard.app.store.get().message).toBeNull();
    again.answer(22);
    expect(await dashboard.shows('Refreshed.')).toContain('22 issues');
    dashboard.app.showMessage('Something else.', 'note');
    const lost = await request('ctrl+r');
    lost.fail(new NotConnectedError('It is away.'));
    await dashboard.shows('It is away.');
    expect(dashboard.app.store.get().message?.text).toBe('Something else.');
  });

  test('show why the trend failed and still show the others', async () => {
    await open();
    trend = () => Promise.reject(new Error('Not found'));
    (await request('ctrl+r')).answer(44);
    expect(await dashboard.shows('44 issues')).toMatch(/Reported issues[\s\S]*✗ Not found/);
  });
});

test('the trend has a column for each day, as wide as possible, or of one cell in a narrow terminal', () => {
  const drawn = (counts: readonly number[], cells: number) =>
    trendLines(trendOf(counts), cells, 4).map(stripVTControlCharacters);
  expect(drawn([0, 4, 8], 30)).toEqual([
    '  Reported issues  12 issues in 3 days, UTC',
    '    8               ██████',
    '                    ██████',
    '             ██████ ██████',
    '             ██████ ██████',
    '      ────────────────────',
    '      2 days ago     today',
  ]);
  const days = Array.from({ length: 30 }, (_, day) => day * 100);
  const [, first, , , , line, range] = drawn(days, 40);
  expect(first).toMatch(/^ {4}2,900 {24}▁▂▄▅▆▇█$/);
  expect(line).toBe(`          ${'─'.repeat(30)}`);
  expect(range).toBe(`          29 days ago${' '.repeat(14)}today`);
});
